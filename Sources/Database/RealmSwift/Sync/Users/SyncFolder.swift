// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmSyncCore

/// Where an app keeps its users and their synchronised Realms (§1.13).
struct SyncFolder: Sendable {
    /// `mongodb-realm/<app id>`, without a slash at the end.
    let path: String

    init(root: URL?, appId: String) {
        let root = root ?? Realm.Configuration.defaultFileURL.deletingLastPathComponent()
        path = root.appendingPathComponent("mongodb-realm").path + "/" + SyncFolder.escaped(appId)
    }

    var metadataFile: String { path + "/server-utility/metadata/sync_metadata.realm" }
    var recoveredRealms: String { path + "/recovered-realms" }
    /// Where a file is put that is reset by hand: a name that no other file has.
    func newRecoveredRealm(_ now: Date = Date()) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: now)
        let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { number in
            let text = "\(number ?? 0)"
            return text.count < 2 ? "0" + text : text
        }
        let letters = String((0..<8).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
        return "\(recoveredRealms)/recovered_realm-\(numbers[..<3].joined())-\(numbers[3...].joined())-\(letters)"
    }

    func userFolder(_ userId: String) -> String { path + "/" + SyncFolder.escaped(userId) }

    /// The file of a user's Realm: in the user's folder, or, where the file system takes no such name, beside it by the
    /// hash of the path that it would have had.
    func realmFile(userId: String, name: String) -> String {
        let wanted = userFolder(userId) + "/" + SyncFolder.escaped(name)
        let file = wanted + ".realm"
        // Without a library that makes hashes the path stays as it is, and opening it says what is wrong with it.
        guard !SyncFolder.isShort(file), !FileManager.default.fileExists(atPath: file), let hash = try? SHA256() else {
            return file
        }
        hash.update(Array(wanted.utf8))
        return path + "/" + Hexadecimal.text(hash.finish()) + ".realm"
    }

    /// Whether file systems take the names of the file and of what lies beside it.
    private static func isShort(_ file: String) -> Bool {
        let longest = file + ".management"
        return longest.utf8.count < 1024 && longest.split(separator: "/").allSatisfy { $0.utf8.count <= 255 }
    }

    /// A name as one part of a path: all bytes escaped but those that URLs reserve for nothing. The original writes
    /// bytes below 16 with a space in place of the first digit, and files have to be found again.
    static func escaped(_ name: String) -> String {
        // Names of folders that exist everywhere must not be those of users.
        if name == "." || name == ".." { return name.replacing(".", with: "%2E") }
        return name.utf8.reduce(into: "") { text, byte in
            if byte.isUnreservedInURLs {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? " " : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The default name of the file with a partition's data.
    static func name(of partition: AnyBSON) -> String {
        switch partition {
        case .string(let value): "s_" + value
        case .int32(let value): "i_\(value)"
        case .int64(let value): "l_\(value)"
        case .objectId(let value): "o_" + value.stringValue
        case .uuid(let value): "u_" + value.uuidString.lowercased()
        case .null: "null"
        default:
            throwRealmException(
                """
                Unsupported partition value: '\(partition)'. A partition is selected by a text, an \
                integer, an ObjectId, a UUID or null.
                """)
        }
    }
}
