// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A name that's equal to another only if their bytes are equal, as in a file. Swift's strings are equal also if they
/// differ in normalization, with one scalar for a letter and its accent or with two.
struct ByteName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ByteName, other: ByteName) -> Bool {
        one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
