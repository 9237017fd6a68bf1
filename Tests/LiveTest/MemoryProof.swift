// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift

/// That memory does not grow with notifications: after a tenth of them it is what it will be.
///
/// The Realm is in memory, because syncs would take most of the time.
final class MemoryProof: @unchecked Sendable {
    private let count: Int
    private let queue = DispatchQueue(label: "memory")
    private let told = DispatchSemaphore(value: 0)

    init(count: Int) { self.count = count }

    func run() throws {
        var configuration = Realm.Configuration(inMemoryIdentifier: "memory-\(UUID())")
        configuration.objectTypes = [LiveDog.self]
        let (realm, tokens) = try queue.sync { try begin(configuration) }
        told.wait()
        var before = 0
        for step in 1...10 {
            for round in 0..<count / 10 {
                try queue.sync { try change(realm, round) }
                told.wait()
            }
            let now = Self.kilobytes("RssAnon")
            print("\(step * count / 10) notifications: \(now) KB, and \(Self.kilobytes("RssFile")) KB of files")
            if step == 1 { before = now }
            // What is only fragmentation comes to an end; what is kept does not.
            let limit = before + max(before / 10, 2048)
            if now > limit { throw Broken("memory has grown from \(before) KB to \(now) KB") }
        }
        queue.sync { withExtendedLifetime((realm, tokens)) {} }
    }

    private func begin(_ configuration: Realm.Configuration) throws -> (Realm, [NotificationToken]) {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { for number in 0..<100 { realm.create(LiveDog.self, value: ["number": number]) } }
        let dogs = realm.objects(LiveDog.self)
        let tokens = [
            dogs.where { $0.age >= 0 }.observe { [told] _ in told.signal() },
            dogs.observe { _ in },
            dogs[0].friends.observe { _ in },
            dogs[1].observe { (_: ObjectChange<LiveDog>) in },
        ]
        return (realm, tokens)
    }

    private func change(_ realm: Realm, _ round: Int) throws {
        try realm.write {
            let dogs = realm.objects(LiveDog.self)
            dogs[round % dogs.count].age = round
            dogs[1].name = "\(round)"
            if dogs[0].friends.count > 10 { dogs[0].friends.removeAll() }
            dogs[0].friends.append(dogs[round % dogs.count])
        }
    }

    /// What the process has in memory, where the system tells.
    private static func kilobytes(_ kind: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(kind):") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
