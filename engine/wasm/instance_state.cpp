#include "wasm/instance_state.h"

namespace blockloom::wasm {

Cell InstanceState::evaluate(const ConstantExpression& expression) const {
    switch (expression.kind) {
    case ConstantExpression::Kind::value:
        return expression.value;
    case ConstantExpression::Kind::global_get:
        return globals[expression.index]->value;
    case ConstantExpression::Kind::ref_func:
        return reference_cell(functions[expression.index]);
    default:
        return 0;
    }
}

} // namespace blockloom::wasm
