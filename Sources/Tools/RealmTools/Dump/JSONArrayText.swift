// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCrypto

/// A JSON array that's written element by element. A long one is replaced by the number of elements and the hash of its
/// text.
struct JSONArrayText: ~Copyable {
    static let elementsInFull = 20_000

    private var text = JSONText()
    private var hash: SHA256?
    private(set) var count = 0

    init(count: Int) throws {
        if count > JSONArrayText.elementsInFull { hash = try SHA256() }
        text.raw("[")
    }

    mutating func element(_ body: (inout JSONText) throws -> Void) rethrows {
        if count > 0 { text.raw(",") }
        try body(&text)
        count += 1
        if hash != nil, text.bytes.count >= 1 << 16 {
            hash?.update(text.bytes)
            text.clear()
        }
    }

    consuming func finish(into json: inout JSONText) {
        text.raw("]")
        guard let hash else { return json.raw(text) }
        hash.update(text.bytes)
        let (count, digest) = (count, hash.finish())
        json.object {
            $0.member("count", count)
            $0.member("sha256")
            $0.hex(digest)
        }
    }
}
