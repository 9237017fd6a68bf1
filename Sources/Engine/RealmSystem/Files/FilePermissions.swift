// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct FilePermissions: Equatable, Sendable {
    package let mode: UInt16
    /// nil for the user that creates the file, whose `umask` then applies.
    private let holder: Holder?

    private struct Holder: Equatable, Sendable {
        let owner: UInt32
        let group: UInt32
    }

    package init(mode: UInt16) {
        self.mode = mode & 0o777
        holder = nil
    }

    package init(of status: FileStatus) {
        mode = UInt16(status.mode & 0o777)
        holder = Holder(owner: status.owner, group: status.group)
    }

    package init(ofFileAt path: String, else others: FilePermissions) {
        self = FileStatus(path).map(FilePermissions.init(of:)) ?? others
    }

    private init(_ mode: UInt16, _ holder: Holder?) {
        self.mode = mode & 0o777
        self.holder = holder
    }

    /// Whether they aren't copied from another file, so that a new file may have them at once.
    var isOwners: Bool { holder == nil }

    /// These permissions with read and write access for the owner, because a copy of a read-only file has to be usable.
    package var usedByOwner: FilePermissions { FilePermissions(mode | 0o600, holder) }

    package static let ownerOnly = FilePermissions(mode: 0o600)

    /// The permissions of a folder for files with these: users that may read or write the file may search the folder.
    var ofFolder: FilePermissions {
        let used = (mode | mode >> 1) >> 1 & 0o111
        return FilePermissions(mode | used, holder)
    }

    var ofFile: FilePermissions { FilePermissions(mode & 0o666, holder) }

    /// Applies them to a file or folder that was just created, as far as this process may. Returns whether all were
    /// set.
    ///
    /// If the group can't be set, the group of the file gets no access, because it has other members.
    @discardableResult
    func apply(to descriptor: Int32, path: String) throws -> Bool {
        guard let holder else { return true }
        var mode = mode
        let (isOwners, isGroups) = FilePermissions.give(holder, to: descriptor)
        if !isGroups { mode &= ~0o070 }
        // After the owner, because a change of that may clear bits.
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw SystemError.last("fchmod", path: path) }
        return isOwners && isGroups
    }

    private static func give(_ holder: Holder, to descriptor: Int32) -> (owner: Bool, group: Bool) {
        guard let now = FileStatus(descriptor: descriptor) else { return (false, false) }
        let (isOwners, isGroups) = (now.owner == holder.owner, now.group == holder.group)
        if isOwners && isGroups { return (true, true) }
        if fchown(descriptor, holder.owner, holder.group) == 0 { return (true, true) }
        return (isOwners, isGroups || fchown(descriptor, uid_t.max, holder.group) == 0)
    }
}
