;; Modules that are no modules: malformed bytes and broken rules.
(assert_malformed (module binary "") "unexpected end")
(assert_malformed (module binary "\01asm\01\00\00\00") "magic header not detected")
(assert_malformed (module binary "\00asm\02\00\00\00") "unknown binary version")
(assert_malformed (module binary "\00asm\01\00\00") "unexpected end")
(assert_malformed (module binary "\00asm\01\00\00\00" "\0d\00") "malformed section id")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\05\00") "unexpected end")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\02\00\00") "section size mismatch")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\01\00\01\01\00") "unexpected content after last section")
(assert_malformed (module binary "\00asm\01\00\00\00" "\03\01\00\01\01\00") "unexpected content after last section")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\01") "unexpected end")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\40\00\00") "malformed functype") ;; 0x40 begins no type
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\07\80\80\80\80\80\00\00") "integer representation too long")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\05\80\80\80\80\10") "integer too large")
(assert_malformed (module binary "\00asm\01\00\00\00" "\00\02\01\ff") "malformed UTF-8 encoding")
(assert_malformed (module binary "\00asm\01\00\00\00" "\00\04\03\ed\a0\80") "malformed UTF-8 encoding") ;; a surrogate
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00") "function and code section have inconsistent lengths")
(assert_malformed (module binary "\00asm\01\00\00\00" "\0a\04\01\02\00\0b") "function and code section have inconsistent lengths")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\0a\04\01\02\00\ff") "illegal opcode")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\0a\05\01\03\00\fc\7f") "illegal opcode")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\0a\04\01\02\00\01") "END opcode expected")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\0a\05\01\03\00\0b\01") "END opcode expected")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\0a\0c\01\0a\02\ff\ff\ff\ff\0f\7f\02\7f\0b") "too many locals")
(assert_malformed (module binary "\00asm\01\00\00\00" "\05\03\01\08\00") "integer too large") ;; limits' flags
(assert_malformed (module binary "\00asm\01\00\00\00" "\06\06\01\7f\02\41\00\0b") "malformed mutability")
(assert_malformed (module binary "\00asm\01\00\00\00" "\02\06\01\01a\01b\05") "malformed import kind")
(assert_malformed (module binary "\00asm\01\00\00\00" "\05\03\01\00\01" "\0c\01\01") "unexpected content after last section")
(assert_malformed (module binary "\00asm\01\00\00\00" "\05\03\01\00\01" "\0c\01\01" "\0b\01\00") "unexpected content after last section")
(assert_malformed (module binary "\00asm\01\00\00\00" "\0c\01\01") "data count and data section have inconsistent lengths")
;; memory.init and data.drop need the data count section
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\00"
  "\0a\0e\01\0c\00\41\00\41\00\41\00\fc\08\00\00\0b" "\0b\03\01\01\00") "data count section required")
(assert_malformed (module binary "\00asm\01\00\00\00" "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\00"
  "\0a\07\01\05\00\fc\09\00\0b" "\0b\03\01\01\00") "data count section required")
(assert_malformed (module quote "(func (i32.what))") "unknown operator") ;; text: skipped
(module binary "\00asm\01\00\00\00")
(module binary "\00asm\01\00\00\00" "\00\05\04name" "\00\03\01x\ff")
(module binary "\00asm\01\00\00\00" "\01\84\80\80\80\00\01\60\00\00") ;; LEB128 with padding
(module binary "\00asm\01\00\00\00" "\0c\01\00")

(assert_invalid (module (func (result i32))) "type mismatch")
(assert_invalid (module (func (result i32) (i64.const 1))) "type mismatch")
(assert_invalid (module (func (i32.const 1))) "type mismatch")
(assert_invalid (module (func (drop))) "type mismatch")
(assert_invalid (module (func (result i32) (i32.add (i32.const 1) (i64.const 2)))) "type mismatch")
(assert_invalid (module (func (block (result i32) (br 0)) (drop))) "type mismatch")
(assert_invalid (module (func (result i32) (block (result i32) (i32.const 1) (i32.const 2)))) "type mismatch")
(assert_invalid (module (func (param i32) (if (result i32) (local.get 0) (then (i32.const 1))) (drop))) "type mismatch")
(assert_invalid (module (func (param i32) (if (local.get 0) (then (i32.const 1))))) "type mismatch")
(assert_invalid (module (func (i32.const 1) (block (drop)))) "type mismatch") ;; blocks do not reach below
(assert_invalid (module (func (loop (param i32) (br 0)) )) "type mismatch")
(assert_invalid (module (func (result i32) (i32.const 1) (loop (param i32) (result i32) (drop) (br 0)))) "type mismatch")
(assert_invalid (module (func (br 1))) "unknown label")
(assert_invalid (module (func (br_table 0 2 (i32.const 0)))) "unknown label")
(assert_invalid (module (func (block (result i32) (block (br_table 0 1 (i32.const 1) (i32.const 0))) (i32.const 1)) (drop))) "type mismatch")
(assert_invalid (module (func (local.get 0) (drop))) "unknown local")
(assert_invalid (module (func (param i32) (local.set 1 (i32.const 1)))) "unknown local")
(assert_invalid (module (func (param i32) (local.tee 0 (i64.const 1)) (drop))) "type mismatch")
(assert_invalid (module (func (global.get 0) (drop))) "unknown global")
(assert_invalid (module (global i32 (i32.const 1)) (func (global.set 0 (i32.const 2)))) "global is immutable")
(assert_invalid (module (global i32 (i64.const 1))) "type mismatch")
(assert_invalid (module (global i32 (global.get 0))) "unknown global")
(assert_invalid (module (import "a" "b" (global (mut i32))) (global i32 (global.get 0))) "constant expression required")
(assert_invalid (module (global i32 (i32.ctz (i32.const 1)))) "constant expression required")
(assert_invalid (module (func (call 1))) "unknown function")
(assert_invalid (module (func (call_indirect (i32.const 0)))) "unknown table")
(assert_invalid (module (func $f (param i32)) (func (call $f))) "type mismatch")
(assert_invalid (module (func (result i32) (i32.load (i32.const 0)))) "unknown memory")
(assert_invalid (module (func (memory.size) (drop))) "unknown memory")
(assert_invalid (module (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)))) "unknown memory")
(assert_invalid (module (memory 1) (func (i32.load align=8 (i32.const 0)) (drop))) "alignment must not be larger than natural")
(assert_invalid (module (memory 1) (func (i64.store32 align=8 (i32.const 0) (i64.const 0)))) "alignment must not be larger than natural")
(assert_invalid (module (memory 2 1)) "size minimum must not be greater than maximum")
(assert_invalid (module (memory 65537)) "memory size must be at most 65536 pages (4GiB)")
(assert_invalid (module (memory 0 65537)) "memory size must be at most 65536 pages (4GiB)")
(assert_invalid (module (memory 1) (memory 1)) "multiple memories")
(assert_invalid (module (table 2 1 funcref)) "size minimum must not be greater than maximum")
(assert_invalid (module (func) (export "a" (func 0)) (export "a" (func 0))) "duplicate export name")
(assert_invalid (module (export "a" (func 0))) "unknown function")
(assert_invalid (module (export "a" (table 0))) "unknown table")
(assert_invalid (module (export "a" (memory 0))) "unknown memory")
(assert_invalid (module (export "a" (global 0))) "unknown global")
(assert_invalid (module (func (param i32)) (start 0)) "start function")
(assert_invalid (module (func (result i32) (i32.const 1)) (start 0)) "start function")
(assert_invalid (module (start 0)) "unknown function")
(assert_invalid (module (data (i32.const 0) "")) "unknown memory")
(assert_invalid (module (memory 1) (data (i64.const 0) "")) "type mismatch")
(assert_invalid (module (func) (elem (i32.const 0) 0)) "unknown table")
(assert_invalid (module (table 1 funcref) (elem (i32.const 0) 0)) "unknown function")
(assert_invalid (module (table 1 externref) (func $f) (elem (i32.const 0) $f)) "type mismatch")
(assert_invalid (module (memory 1) (func (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 0)))) "unknown data segment")
(assert_invalid (module (func (data.drop 0))) "unknown data segment")
(assert_invalid (module (func (elem.drop 0))) "unknown elem segment")
(assert_invalid (module (table 1 funcref) (table 1 externref) (func (table.copy 0 1 (i32.const 0) (i32.const 0) (i32.const 0)))) "type mismatch")
(assert_invalid (module (func $f) (func (drop (ref.func $f)))) "undeclared function reference")
(assert_invalid (module (func (param externref) (result i32) (select (local.get 0) (local.get 0) (i32.const 1)) (drop) (i32.const 1))) "type mismatch")
(assert_invalid (module (func (select (i32.const 1) (i64.const 1) (i32.const 1)) (drop))) "type mismatch")
(assert_invalid (module (type (func (param i32))) (func (block (type 0)))) "type mismatch")
(assert_invalid (module (func (type 3))) "unknown type")
(assert_invalid (module (func (result i32) (unreachable) (i64.const 1) (i32.add))) "type mismatch")
(assert_invalid (module (func (result i32) (unreachable) (i32.const 1) (i64.const 1) (br_if 0 (i32.const 1)))) "type mismatch")
(module (func (result i32) (unreachable) (select)))
(module (func (result i64) (unreachable) (select (i64.const 1) (i32.const 1))))
(module (func (unreachable) (br_table 0 0)))
(module (func (result i32) (unreachable) (i32.add)))
(module (func (block (result f64) (block (result i32) (br_table 0 1 (unreachable))) (drop) (f64.const 1)) (drop)))

;; Decoding comes first: what is malformed behind something invalid is malformed.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00"                       ;; type: func
    "\03\03\02\00\00"                          ;; two functions
    "\0a\0a\02"
    "\04\00\41\00\0b"                          ;; leaves a value: invalid
    "\03\00\ff\0b")                            ;; no such instruction: malformed
  "illegal opcode")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00"
    "\0a\06\01\04\00\1a\05\0b")                ;; drop of nothing, then else without if
  "else without if")
