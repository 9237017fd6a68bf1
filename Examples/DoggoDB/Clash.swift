// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// Demonstrates adding a second object with the same primary key. This programmer error ends the process, so the tour
/// starts a second process for it and shows its message.
enum Clash {
    static let argument = "--clash"

    /// Adds two dogs with one key. Doesn't return.
    static func provoke() throws {
        let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "clash"))
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
        try realm.write {
            realm.add(Dog(value: ["_id": id, "name": "Rex"]))
            realm.add(Dog(value: ["_id": id, "name": "Max"]))
        }
    }

    static func refusal() throws -> String {
        let process = Process()
        let errors = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument]
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let start = text.range(of: "reason: '"),
            let end = text.range(of: "'\n", range: start.upperBound..<text.endIndex)
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }
}
