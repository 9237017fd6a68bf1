// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmRuntime
import RealmStorage
import RealmSyncCore

/// The folder of an app's users and their synchronised Realms (§1.13).
struct SyncFolder: Sendable {
    /// `mongodb-realm/<app id>`, without a trailing slash.
    let path: String

    init(root: URL?, appId: String) {
        let root = root ?? Realm.Configuration.defaultFileURL.deletingLastPathComponent()
        path = root.appendingPathComponent("mongodb-realm").path + "/" + SyncFolder.escaped(appId)
    }

    var metadataFile: String { path + "/server-utility/metadata/sync_metadata.realm" }
    var recoveredRealms: String { path + "/recovered-realms" }
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

    /// The file is in the user's folder. If the file system doesn't support its name, the file is in the app's folder,
    /// and its name is the hash of the original path.
    func realmFile(userId: String, name: String) -> String {
        let wanted = userFolder(userId) + "/" + SyncFolder.escaped(name)
        let file = wanted + ".realm"
        // Without a hash library the path stays unchanged, and opening the file reports the error.
        guard !SyncFolder.isShort(file), !FileManager.default.fileExists(atPath: file), let hash = try? SHA256() else {
            return file
        }
        hash.update(Array(wanted.utf8))
        return path + "/" + Hexadecimal.text(hash.finish()) + ".realm"
    }

    private static func isShort(_ file: String) -> Bool {
        let longest = file + ".management"
        return longest.utf8.count < 1024 && longest.split(separator: "/").allSatisfy { $0.utf8.count <= 255 }
    }

    /// Returns a name as one path component: all bytes are escaped except those that are unreserved in URLs. For bytes
    /// below 16, the original writes a space as the first digit. We do too, so that its files are found.
    static func escaped(_ name: String) -> String {
        // A user's folder must not be named `.` or `..`.
        if name == "." || name == ".." { return name.replacing(".", with: "%2E") }
        return name.escapedForPath(padding: " ")
    }

    /// The name of the file with subscriptions.
    static let flexibleName = "flx_sync_default"

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
                Unsupported partition value: '\(partition)'. A partition value is a string, an \
                integer, an ObjectId, a UUID or null.
                """)
        }
    }
}
