// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The forms of one peer's versions after merges with another peer's changes.
///
/// A version is merged with each change of the other peer that isn't based on it. The resulting form follows that
/// change, so the next change is merged with this form.
package struct ReciprocalForms: Sendable {
    private var forms: [UInt64: Changeset] = [:]

    package init() {}

    package var isEmpty: Bool { forms.isEmpty }

    package subscript(version: UInt64) -> Changeset? { forms[version] }

    /// Merges changes that aren't based on `versions`, which are in order. Returns the forms that follow these
    /// versions. Changes nothing if it throws.
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

    package mutating func forget(through version: UInt64) {
        if !forms.isEmpty { forms = forms.filter { $0.key > version } }
    }
}
