// property: valid-memaccess
// verdict: safe
// A search tree of any size: insertion, search and freeing are recursive.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int key) {
  if (t == NULL) {
    struct tree *n = malloc(sizeof *n);
    if (n == NULL) return NULL;
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    return n;
  }
  if (key < t->key) t->left = insert(t->left, key);
  else if (key > t->key) t->right = insert(t->right, key);
  return t;
}
static int search(struct tree *t, int key) {
  if (!t) return 0;
  if (t->key == key) return 1;
  return search(key < t->key ? t->left : t->right, key);
}
static void free_tree(struct tree *t) {
  if (!t) return;
  free_tree(t->left);
  free_tree(t->right);
  free(t);
}
int main(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
  int found = search(root, __VERIFIER_nondet_int());
  free_tree(root);
  return found;
}
