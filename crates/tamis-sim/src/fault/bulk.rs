//! More bytes than a client should accept.

use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress};

use crate::net::Step;

const MIB: usize = 1024 * 1024;
const PAGE: usize = 64 * 1024;
/// A little over the 16 MiB that a careful client may allow.
const OVERSIZE: usize = 17 * MIB;
const INFLATED: usize = 256 * MIB;

/// One event, or the white space before a plain body, of more than 16 MiB.
pub(super) fn oversize(stream: bool) -> Vec<Step> {
    let page = |byte: u8| Step::Repeat(Bytes::from(vec![byte; PAGE]), OVERSIZE / PAGE);
    if !stream {
        return vec![page(b' ')];
    }
    vec![
        Step::Send(Bytes::from_static(
            b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"",
        )),
        page(b'a'),
        Step::Send(Bytes::from_static(b"\"},\"finish_reason\":null}]}\n\n")),
    ]
}

/// A gzip body: 256 MiB of white space (in a stream: a comment of that length), then the answer.
///
/// The same megabyte is compressed once and repeated, so that it costs the server neither time
/// nor memory.
pub(super) fn bomb(answer: &[u8], stream: bool) -> Vec<Step> {
    let before: &[u8] = if stream { b": " } else { b"" };
    let after = if stream {
        [b"\n\n", answer].concat()
    } else {
        answer.to_vec()
    };
    let blank = vec![b' '; MIB];
    let times = INFLATED / MIB;

    let mut sum = Crc::new();
    sum.update(before);
    let mut blank_sum = Crc::new();
    blank_sum.update(&blank);
    for _ in 0..times {
        sum.combine(&blank_sum);
    }
    let mut after_sum = Crc::new();
    after_sum.update(&after);
    sum.combine(&after_sum);

    // Magic, deflate, no flags, no time, no hints, unknown system.
    let mut head = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    head.extend(deflate(before, FlushCompress::Full));
    let mut tail = deflate(&after, FlushCompress::Finish);
    tail.extend(sum.sum().to_le_bytes());
    tail.extend(sum.amount().to_le_bytes());
    vec![
        Step::Send(head.into()),
        Step::Repeat(deflate(&blank, FlushCompress::Full).into(), times),
        Step::Send(tail.into()),
    ]
}

/// Raw deflate blocks that refer to nothing before them.
fn deflate(bytes: &[u8], flush: FlushCompress) -> Vec<u8> {
    let mut compress = Compress::new(Compression::default(), false);
    // More than deflate ever needs: stored blocks cost 5 bytes each.
    let mut out = Vec::with_capacity(
        bytes
            .len()
            .saturating_add(bytes.len() / 8)
            .saturating_add(64),
    );
    // Writing to memory with room to spare cannot fail; if it did, the bomb would be a dud.
    let _ = compress.compress_vec(bytes, &mut out, flush);
    out
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{INFLATED, bomb};
    use crate::net::Step;

    #[test]
    fn the_bomb_is_valid_gzip() {
        let mut packed = Vec::new();
        for step in bomb(b"{\"a\":1}", false) {
            match step {
                Step::Send(bytes) => packed.extend_from_slice(&bytes),
                Step::Repeat(bytes, times) => {
                    for _ in 0..times {
                        packed.extend_from_slice(&bytes);
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(packed.len() < 512 * 1024, "{}", packed.len());
        let mut reader = flate2::read::GzDecoder::new(packed.as_slice());
        let (mut page, mut total, mut last) = (vec![0; 1 << 20], 0, Vec::new());
        loop {
            let read = reader.read(&mut page).unwrap();
            if read == 0 {
                break;
            }
            total += read;
            last = page[..read].to_vec();
        }
        assert_eq!(total, INFLATED + 7);
        assert!(last.ends_with(b"{\"a\":1}"));
    }
}
