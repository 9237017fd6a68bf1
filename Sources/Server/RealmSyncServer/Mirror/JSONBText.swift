// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    /// Texts in JSONB, which has no U+0000.
    ///
    /// U+0000 is written as U+E000 U+E001, and U+E000, which is for private use, as U+E000 U+E002. So different texts
    /// remain different, and a text begins with another one exactly if their written forms do.
    enum JSONBText {
        static let escape: Unicode.Scalar = "\u{E000}"
        private static let (zero, itself): (Unicode.Scalar, Unicode.Scalar) = ("\u{E001}", "\u{E002}")

        static func written(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == escape }) else { return text }
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\0": scalars.append(contentsOf: [escape, zero])
                case escape: scalars.append(contentsOf: [escape, itself])
                default: scalars.append(scalar)
                }
            }
            return String(scalars)
        }

        /// Whether the written form of the text could be found in the middle of an escape.
        static func isAmbiguous(_ text: String) -> Bool {
            text.unicodeScalars.first.map { $0 == zero || $0 == itself } ?? false
        }
    }
#endif
