//! Floating-point operations.

use crate::numbers::Bits;
use crate::values::Value;
use crate::walk::Unroller;
use float::Operation;
use ir::Type;

impl Unroller<'_, '_> {
    pub(crate) fn float(&mut self, operation: Operation, values: &[Value], ty: Type) -> Value {
        let mut arguments: Vec<Bits> = Vec::new();
        for value in values {
            let Value::Bits(bits) = value else { return self.store.anything(ty) };
            arguments.push(bits.to_vec());
        }
        if let Some(value) = self.floats.get(&(operation, arguments.clone())) {
            return value.clone();
        }
        let value = self.store.anything(ty);
        self.floats.insert((operation, arguments), value.clone());
        value
    }
}
