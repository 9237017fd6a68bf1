// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct MessageWriter {
    private var header: String
    private var body: [UInt8] = []

    init(_ name: String) { header = name }

    mutating func number(_ value: some BinaryInteger) { header += " \(value)" }

    mutating func bool(_ value: Bool) { header += value ? " 1" : " 0" }

    /// Whole numbers are written without a fraction.
    mutating func decimal(_ value: Double) {
        let text = value.description
        header += " " + (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    mutating func append(_ text: String) { body += Array(text.utf8) }

    mutating func sized(_ text: String) {
        number(text.utf8.count)
        append(text)
    }

    private static let compressedFrom = 1024

    /// Compresses the body if it exceeds `compressedFrom` and becomes smaller.
    mutating func compressible(_ bytes: [UInt8]) {
        if bytes.count > Self.compressedFrom, let zlib = try? Zlib.load() {
            let stream = zlib.deflated(bytes)
            if stream.count < bytes.count {
                header += " 1 \(bytes.count) \(stream.count)"
                body += stream
                return
            }
        }
        header += " 0 \(bytes.count) 0"
        body += bytes
    }

    var message: [UInt8] { Array(header.utf8) + [0x0A] + body }

    static func entry(_ numbers: [UInt64], _ changeset: [UInt8], into body: inout [UInt8]) {
        for number in numbers { body += Array("\(number) ".utf8) }
        body += Array("\(changeset.count) ".utf8)
        body += changeset
    }
}
