// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Texts to which others are compared without regard to case or accents: a hash table of what is left of them, so that
/// it makes no difference how many they are.
final class FoldedTexts: Sendable {
    private let options: TextOptions
    private let texts: ByteSet

    init(_ texts: [String], _ options: TextOptions) {
        self.options = options
        self.texts = ByteSet(texts.map { FoldedTexts.folded($0, options) })
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        let folded =
            options.contains(.diacriticInsensitive) || options.knowsAllCases
            ? FoldedTexts.folded(unsafe String(decoding: text, as: UTF8.self), options)
            : unsafe TextPattern.folded(text)
        return unsafe folded.withUnsafeBytes { unsafe texts.contains($0) }
    }

    /// What texts have in common that are equal.
    private static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
        let folded: [Unicode.Scalar]
        if options.contains(.diacriticInsensitive) {
            folded = DiacriticPattern.folded(text, ignoringCase: options.contains(.caseInsensitive))
        } else if options.knowsAllCases {
            folded = CaselessPattern.folded(text)
        } else {
            let bytes = Array(text.utf8)
            return unsafe bytes.withUnsafeBytes { unsafe TextPattern.folded($0) }
        }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: folded)
        return Array(String(scalars).utf8)
    }
}
