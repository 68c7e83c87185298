//! The formats of files that contain a card, such as pictures and archives.

use super::imported;
use bevy_dramatis::cards::import;
use serde_json::json;
use std::io::{Cursor, Write};

/// A picture of one pixel, with some texts before its pixels and some after them.
pub fn picture(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<u8> {
    picture_with(
        |encoder| {
            for (keyword, text) in before {
                encoder
                    .add_text_chunk((*keyword).to_owned(), (*text).to_owned())
                    .unwrap();
            }
        },
        after,
    )
}

/// The same, where `add` adds the chunks before the pixels.
pub fn picture_with(
    add: impl FnOnce(&mut png::Encoder<&mut Vec<u8>>),
    after: &[(&str, &str)],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    add(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0]).unwrap();
    for (keyword, text) in after {
        let chunk = png::text_metadata::TEXtChunk::new(*keyword, *text);
        writer.write_text_chunk(&chunk).unwrap();
    }
    drop(writer);
    bytes
}

pub fn base64(text: &str) -> String {
    use base64::Engine;
    base64::prelude::BASE64_STANDARD.encode(text)
}

pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn card(name: &str) -> String {
    json!({"spec": "chara_card_v3", "data": {"name": name, "description": "Keeps the inn: \u{661f}."}}).to_string()
}

#[test]
fn x6_a_card_is_read_from_json_from_pictures_and_from_archives() {
    let mara = card("Mara");
    let packed = base64(&mara);
    let other = base64(&card("Other"));
    let unpadded = packed.trim_end_matches('=').to_owned();
    let lines = packed
        .as_bytes()
        .chunks(40)
        .map(|line| std::str::from_utf8(line).unwrap());
    let wrapped = lines.collect::<Vec<_>>().join("\n");
    let compressed = picture_with(
        |to| {
            to.add_ztxt_chunk("chara".to_owned(), packed.clone())
                .unwrap()
        },
        &[],
    );
    let unicode = picture_with(
        |to| to.add_itxt_chunk("chara".to_owned(), mara.clone()).unwrap(),
        &[],
    );
    let charx = archive(&[
        ("assets/icon.png", b"picture"),
        ("card.json", mara.as_bytes()),
    ]);
    let mut behind_a_picture = vec![0xff, 0xd8, 0xff, 0xe0, 0, 16];
    behind_a_picture.extend(&charx);
    let mut with_mark = vec![0xef, 0xbb, 0xbf];
    with_mark.extend(mara.as_bytes());
    let expected = imported("card.json", mara.as_bytes()).files["mara.npc.ron"].clone();
    for (what, bytes) in [
        ("JSON with a byte-order mark", with_mark),
        ("a picture", picture(&[("chara", &packed)], &[])),
        ("another case", picture(&[("Chara", &packed)], &[])),
        (
            "after the pixels",
            picture(&[("Comment", "x")], &[("chara", &packed)]),
        ),
        (
            "the newer form first",
            picture(&[("chara", &other), ("ccv3", &packed)], &[]),
        ),
        ("no padding", picture(&[("chara", &unpadded)], &[])),
        ("several lines", picture(&[("chara", &wrapped)], &[])),
        ("a compressed text", compressed),
        ("plain JSON in Unicode", unicode),
        ("an archive", charx),
        ("an archive behind a picture", behind_a_picture),
    ] {
        let files = import([("card.json", bytes.as_slice())]);
        let files = files
            .unwrap_or_else(|errors| panic!("{what}: {errors:?}"))
            .files;
        let text = files["mara.npc.ron"]
            .lines()
            .filter(|line| !line.starts_with("//"));
        let expected = expected.lines().filter(|line| !line.starts_with("//"));
        assert!(text.eq(expected), "{what}: {files:?}");
    }
}
