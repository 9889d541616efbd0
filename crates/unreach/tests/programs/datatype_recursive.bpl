//@ verdict: safe
// Values are finite, so none contains itself.
datatype Tree<T> { Leaf(), Node(left: Tree T, value: T, right: Tree T) }
procedure main(t: Tree int, u: Tree int)
{
  assert Node(t, 1, u) != t && Node(t, 1, u) != u;
  assert Node(Leaf(), 1, t) == Node(Leaf(), 1, u) ==> t == u;
  assert t is Leaf || t == Node(t->left, t->value, t->right);
  assert !(t is Node && t->left is Node && t->left->left == t);
}
