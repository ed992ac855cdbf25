//! Bitcoin's transactions, read and hashed.
use crate::sha256::Sha256;
use crate::wire::{fault, write_size, write_string, Outcome, Reader};
use std::fmt;

#[derive(Clone, Debug, Default)]
pub struct Input {
    pub txid: TxId,
    pub vout: u32,
    pub script: Vec<u8>,
    pub sequence: u32,
    pub witness: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub value: u64,
    pub script: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxId(pub [u8; 32]);

impl fmt::Display for TxId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().rev().try_for_each(|byte| write!(to, "{byte:02x}"))
    }
}

#[derive(Clone, Debug)]
pub struct Transaction {
    pub version: u32,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub locktime: u32,
}

impl Transaction {
    pub fn read(bytes: &[u8]) -> Outcome<Transaction> {
        let mut from = Reader::of(bytes);
        let version = from.u32()?;
        let segwit = bytes.len() > 6 && bytes[4] == 0 && bytes[5] != 0;
        if segwit {
            from.take(2)?;
        }
        let mut inputs = from.list(read_input)?;
        let outputs = from.list(|from| {
            Ok(Output { value: from.u64()?, script: from.string()? })
        })?;
        if segwit {
            for input in &mut inputs {
                input.witness = from.list(|from| from.string())?;
            }
        }
        let locktime = from.u32()?;
        match from.left() {
            0 => Ok(Transaction { version, inputs, outputs, locktime }),
            left => fault(format!("{left} bytes after the transaction")),
        }
    }

    pub fn id(&self) -> TxId {
        let mut bytes = self.version.to_le_bytes().to_vec();
        write_size(&mut bytes, self.inputs.len());
        for input in &self.inputs {
            bytes.extend(input.txid.0);
            bytes.extend(input.vout.to_le_bytes());
            write_string(&mut bytes, &input.script);
            bytes.extend(input.sequence.to_le_bytes());
        }
        write_size(&mut bytes, self.outputs.len());
        for output in &self.outputs {
            bytes.extend(output.value.to_le_bytes());
            write_string(&mut bytes, &output.script);
        }
        bytes.extend(self.locktime.to_le_bytes());
        TxId(Sha256::of(&Sha256::of(&bytes)))
    }

    pub fn paid(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.value))
    }
}

fn read_input(from: &mut Reader) -> Outcome<Input> {
    let mut input = Input::default();
    input.txid.0.copy_from_slice(from.take(32)?);
    input.vout = from.u32()?;
    input.script = from.string()?;
    input.sequence = from.u32()?;
    Ok(input)
}
