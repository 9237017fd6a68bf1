// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The forms that the versions of one end have for another one, where merges have changed them.
///
/// What an end has made is merged with each change that comes from the other and was made without knowledge of it. Its
/// form after that merge is the one that follows the change, and so the one that the next change meets.
package struct ReciprocalForms: Sendable {
    private var forms: [UInt64: Changeset] = [:]

    package init() {}

    package var isEmpty: Bool { forms.isEmpty }

    /// The form of a version that merges have changed; nil if they have not.
    package subscript(version: UInt64) -> Changeset? { forms[version] }

    /// Merges changes that were made without knowledge of `versions`, which are in order, and gives them in the form in
    /// which they follow these. Where it throws nothing has changed.
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

    /// Forgets the forms of versions that the other end is known to have.
    package mutating func forget(through version: UInt64) {
        if !forms.isEmpty { forms = forms.filter { $0.key > version } }
    }
}
