// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@testable import RealmStorage

enum ShortStrings {
    /// Makes a node of short strings as defined in content 6.6.1: the last byte counts the padding, and null has no
    /// room for it. `filler` replaces the zeros of the format.
    static func withNode(_ texts: [String?], width: Int, filler: UInt8 = 0, _ body: (Node) -> Void) {
        var bytes = [UInt8](repeating: filler, count: texts.count * width)
        for (row, text) in texts.enumerated() {
            let utf8 = Array((text ?? "").utf8)
            bytes.replaceSubrange(row * width..<row * width + utf8.count, with: utf8)
            bytes[(row + 1) * width - 1] = UInt8(text == nil ? width : width - 1 - utf8.count)
        }
        let header = NodeHeader(
            flags: NodeHeader.Flags.bytes, widthCode: NodeHeader.code(ofWidth: width), count: texts.count)
        bytes.withUnsafeBytes { body(Node(ref: 24, header: header, payload: $0.baseAddress!)) }
    }
}
