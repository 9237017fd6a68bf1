// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The encoded forms of the latest versions that sessions have received. Files in whose views a version has the same
/// objects receive the same form, which is made once.
///
/// Used by one thread at a time.
final class SharedForms {
    struct Key: Hashable {
        let version: UInt64
        /// The objects in the view, for each class of the version in order.
        let members: [ViewChanges.Members?]
    }

    private var forms: [Key: [UInt8]] = [:]
    private var size = 0
    /// The classes of the objects of a version.
    private var classes: [UInt64: [Text]] = [:]

    /// In bytes.
    private static let maxSize = 4 << 20
    private static let maxCount = 1024

    /// - Parameter read: Returns the changeset of the version.
    func key(
        _ version: UInt64, _ views: ViewChanges, _ view: FileView, _ read: () throws -> Changeset
    ) rethrows -> Key {
        let names: [Text]
        if let known = classes[version] {
            names = known
        } else {
            names = Set(try read().instructions.lazy.compactMap { $0.object?.table }).sorted()
            if classes.count >= SharedForms.maxCount { classes = [:] }
            classes[version] = names
        }
        return Key(version: version, members: names.map { view.queries[$0].flatMap { views.members[$0] } })
    }

    /// Returns a form, which `make` creates if it isn't known.
    func bytes(_ key: Key, _ make: () throws -> [UInt8]) rethrows -> [UInt8] {
        if let known = forms[key] { return known }
        let bytes = try make()
        if forms.count >= SharedForms.maxCount || size > SharedForms.maxSize { (forms, size) = ([:], 0) }
        forms[key] = bytes
        size += bytes.count
        return bytes
    }
}
