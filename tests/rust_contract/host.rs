//! What an Alkanes contract asks its host for. Byte strings are passed as a pointer with their length before it.

#[link(wasm_import_module = "env")]
extern "C" {
    #[link_name = "abort"]
    fn host_abort(message: u32, file: u32, line: u32, column: u32);
    fn __log(text: *const u8);
    fn __request_storage(key: *const u8) -> u32;
    fn __load_storage(key: *const u8, value: *mut u8) -> u32;
    fn __request_context() -> u32;
    fn __load_context(to: *mut u8) -> u32;
    fn __request_transaction() -> u32;
    fn __load_transaction(to: *mut u8);
    fn __balance(who: *const u8, what: *const u8, amount: *mut u8);
}

/// Bytes as the host sees them.
pub struct Buffer(Vec<u8>);

impl Buffer {
    pub fn of(bytes: &[u8]) -> Buffer {
        let mut whole = (bytes.len() as u32).to_le_bytes().to_vec();
        whole.extend_from_slice(bytes);
        Buffer(whole)
    }
    fn room(size: u32) -> Buffer {
        Buffer::of(&vec![0; size as usize])
    }
    fn pointer(&self) -> *const u8 {
        self.0[4..].as_ptr()
    }
    fn to(&mut self) -> *mut u8 {
        self.0[4..].as_mut_ptr()
    }
    fn bytes(self) -> Vec<u8> {
        self.0[4..].to_vec()
    }
    /// For the host, after the contract has returned.
    pub fn leak(self) -> *const u8 {
        let pointer = self.pointer();
        std::mem::forget(self);
        pointer
    }
}

pub fn context() -> Vec<u8> {
    unsafe {
        let mut buffer = Buffer::room(__request_context());
        __load_context(buffer.to());
        buffer.bytes()
    }
}

pub fn transaction() -> Vec<u8> {
    unsafe {
        let mut buffer = Buffer::room(__request_transaction());
        __load_transaction(buffer.to());
        buffer.bytes()
    }
}

pub fn storage(key: &[u8]) -> Vec<u8> {
    let key = Buffer::of(key);
    unsafe {
        let mut value = Buffer::room(__request_storage(key.pointer()));
        __load_storage(key.pointer(), value.to());
        value.bytes()
    }
}

pub fn balance(who: &[u8], what: &[u8]) -> Vec<u8> {
    let (who, what) = (Buffer::of(who), Buffer::of(what));
    let mut amount = Buffer::room(16);
    unsafe { __balance(who.pointer(), what.pointer(), amount.to()) };
    amount.bytes()
}

pub fn log(text: &str) {
    unsafe { __log(Buffer::of(text.as_bytes()).pointer()) }
}

/// Marks the call as failed; it continues.
pub fn abort() {
    unsafe { host_abort(0, 0, 0, 0) }
}
