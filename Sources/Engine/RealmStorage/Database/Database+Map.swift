// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Maps a file with room for `size` bytes and usually far more, so that it can grow without a new mapping.
    /// `withSlab` reserves as much again for dirty nodes.
    ///
    /// If the process's address space is limited, less room is reserved, to leave addresses to the rest of the program.
    /// As a last resort, only the file is mapped, with a small slab.
    static func map(_ file: any DatabaseFile, atLeast size: Int, withSlab: Bool) throws -> FileMapping {
        var window = FileMapping.defaultWindow
        while window < size * 2 { window *= 2 }
        let room = withSlab ? 2 : 1
        var error: SystemError
        do {
            return try map(file, window, withSlab ? window : 0)
        } catch let failure as SystemError where failure.number == ENOMEM {
            error = failure
        }
        let least = max(size, smallestWindow)
        while window / 2 >= least, !FileMapping.canReserve(window * room * shareOfAddresses) { window /= 2 }
        let exact = (least + smallestWindow - 1) / smallestWindow * smallestWindow
        for (window, slab) in [(window, window), (exact, smallestWindow)] {
            do {
                return try map(file, window, withSlab ? slab : 0)
            } catch let failure as SystemError where failure.number == ENOMEM {
                error = failure
            }
        }
        throw StorageError(
            .addressSpaceExhausted,
            "\(error.call): the process has no room for a file of \(size) bytes in its address space; raise its limit",
            path: file.path)
    }

    func mapping(_ known: FileMapping, for logicalSize: Int) throws -> FileMapping {
        if logicalSize <= known.fileWindow { return known }
        return try Database.map(file, atLeast: logicalSize, withSlab: true)
    }

    private static func map(_ file: any DatabaseFile, _ window: Int, _ slab: Int) throws -> FileMapping {
        try file.map(fileWindow: window, slabWindow: slab)
    }

    private static let smallestWindow = 16 << 20
    /// The maximum share of a limited address space for one mapping, as a divisor.
    private static let shareOfAddresses = 8
}
