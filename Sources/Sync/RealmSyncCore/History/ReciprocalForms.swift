// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The forms of one peer's versions that merges with another peer's changes have modified.
///
/// A version is merged with each change of the other peer that wasn't based on it. The form after that merge follows
/// the change, and so it is merged with the next change.
package struct ReciprocalForms: Sendable {
    private var forms: [UInt64: Changeset] = [:]

    package init() {}

    package var isEmpty: Bool { forms.isEmpty }

    /// Returns the form of a version that merges have modified; nil if they haven't.
    package subscript(version: UInt64) -> Changeset? { forms[version] }

    /// Merges changes that weren't based on `versions`, which are in order, and returns them in the form that follows
    /// these. If it throws, nothing has changed.
    package mutating func merge(
        _ incoming: [MergeInput], with versions: [(version: UInt64, original: MergeInput)]
    ) throws(MergeError) -> [MergeInput] {
        var incoming = incoming
        var local = versions.map { MergeInput(forms[$0.version] ?? $0.original.changeset, $0.original.order) }
        try Merger.merge(incoming: &incoming, local: &local)
        for (version, form) in zip(versions, local) where form.isChanged {
            forms[version.version] = form.changeset
        }
        return incoming
    }

    /// Removes the forms of versions that the other peer has integrated.
    package mutating func forget(through version: UInt64) {
        if !forms.isEmpty { forms = forms.filter { $0.key > version } }
    }
}
