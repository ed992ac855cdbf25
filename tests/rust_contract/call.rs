//! A call: its context, what it has read and written, and its response.
use crate::host;
use crate::ledger::AlkaneId;
use crate::wire::{fault, Fault, Outcome, Reader};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub id: AlkaneId,
    pub value: u128,
}

#[derive(Clone, Debug)]
pub struct Context {
    pub myself: AlkaneId,
    pub incoming: Vec<Transfer>,
    inputs: Vec<u128>,
}

fn read_id(from: &mut Reader) -> Outcome<AlkaneId> {
    Ok(AlkaneId { block: from.u128()?, tx: from.u128()? })
}

impl Context {
    fn read(bytes: &[u8]) -> Outcome<Context> {
        let mut from = Reader::of(bytes);
        let myself = read_id(&mut from)?;
        from.take(48)?; // the caller and the output
        let count = from.u128()?;
        let count = usize::try_from(count).map_err(|_| Fault::Count(u64::MAX))?;
        let incoming = (0..count)
            .map(|_| Ok(Transfer { id: read_id(&mut from)?, value: from.u128()? }))
            .collect::<Outcome<_>>()?;
        let inputs = (0..from.left() / 16).map(|_| from.u128()).collect::<Outcome<_>>()?;
        Ok(Context { myself, incoming, inputs })
    }
}

/// FNV-1a: the same order of keys in every run.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

struct Value {
    bytes: Vec<u8>,
    written: bool,
}

pub struct Call {
    pub context: Context,
    values: HashMap<Vec<u8>, Value, BuildHasherDefault<Fnv>>,
    transfers: Vec<Transfer>,
    data: Vec<u8>,
}

impl Call {
    pub fn opcode(&self) -> Outcome<u128> {
        self.context.inputs.first().copied().ok_or_else(|| Fault::Said("no opcode".into()))
    }
    pub fn input(&self, place: usize) -> u128 {
        self.context.inputs.get(place).copied().unwrap_or(0)
    }

    pub fn get(&mut self, key: &[u8]) -> Vec<u8> {
        let value = self
            .values
            .entry(key.to_vec())
            .or_insert_with(|| Value { bytes: host::storage(key), written: false });
        value.bytes.clone()
    }
    pub fn put(&mut self, key: &[u8], bytes: &[u8]) {
        self.values.insert(key.to_vec(), Value { bytes: bytes.to_vec(), written: true });
    }
    pub fn text(&mut self, key: &str) -> Outcome<String> {
        Ok(String::from_utf8(self.get(key.as_bytes()))?)
    }
    pub fn set(&mut self, key: &str, text: &str) {
        self.put(key.as_bytes(), text.as_bytes());
    }
    pub fn number(&mut self, key: &str) -> Outcome<u128> {
        let bytes = self.get(key.as_bytes());
        match bytes.len() {
            0 => Ok(0),
            16 => Reader::of(&bytes).u128(),
            size => fault(format!("{key}: a number of {size} bytes")),
        }
    }
    pub fn set_number(&mut self, key: &str, value: u128) {
        self.put(key.as_bytes(), &value.to_le_bytes());
    }

    /// What the chain says that this contract has of a token.
    pub fn balance(&self, what: AlkaneId) -> Outcome<u128> {
        let bytes = |id: AlkaneId| [id.block.to_le_bytes(), id.tx.to_le_bytes()].concat();
        Reader::of(&host::balance(&bytes(self.context.myself), &bytes(what))).u128()
    }

    /// Gives back what came in.
    pub fn forward(&mut self) {
        self.transfers.extend_from_slice(&self.context.incoming);
    }
    pub fn send(&mut self, transfer: Transfer) {
        self.transfers.push(transfer);
    }
    /// A line more of the answer.
    pub fn say(&mut self, line: &str) {
        self.data.extend_from_slice(line.as_bytes());
        self.data.push(b'\n');
    }
    pub fn answer(&mut self, data: Vec<u8>) -> Outcome<()> {
        self.forward();
        self.data = data;
        Ok(())
    }

    fn response(self) -> Vec<u8> {
        let mut to = (self.transfers.len() as u128).to_le_bytes().to_vec();
        for Transfer { id, value } in &self.transfers {
            for number in [id.block, id.tx, *value] {
                to.extend(number.to_le_bytes());
            }
        }
        let mut written: Vec<_> = self.values.into_iter().filter(|(_, value)| value.written).collect();
        written.sort_by(|(a, _), (b, _)| a.cmp(b));
        to.extend((written.len() as u32).to_le_bytes());
        for (key, value) in &written {
            for bytes in [key, &value.bytes] {
                to.extend((bytes.len() as u32).to_le_bytes());
                to.extend_from_slice(bytes);
            }
        }
        to.extend(self.data);
        to
    }
}

/// What a call that fails answers: no transfers, nothing to store, a selector and why.
fn revert(why: &Fault) -> Vec<u8> {
    host::abort();
    let mut to = vec![0; 20];
    to.extend([0x08, 0xc3, 0x79, 0xa0]);
    to.extend(format!("Error: {why}").into_bytes());
    to
}

pub fn run(work: impl FnOnce(&mut Call) -> Outcome<()>) -> *const u8 {
    let response = Context::read(&host::context()).and_then(|context| {
        let values = HashMap::default();
        let mut call = Call { context, values, transfers: Vec::new(), data: Vec::new() };
        work(&mut call).map(|()| call.response())
    });
    host::Buffer::of(&response.unwrap_or_else(|why| revert(&why))).leak()
}
