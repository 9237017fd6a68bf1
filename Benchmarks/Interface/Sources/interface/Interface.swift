// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RegnumUITesting
import SwiftUI

/// Measures views over 100,000 objects without a screen, and prints a table of the medians of eleven rounds, in
/// milliseconds.
@main @MainActor struct Interface {
    private static let objectCount = 100_000
    private static let roundCount = 11

    private let realm: Realm

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("interface-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = Realm.Configuration(
            fileURL: folder.appendingPathComponent("dogs.realm"), objectTypes: [Dog.self])
        try await Interface(realm: Realm(configuration: configuration)).run()
    }

    private func run() async throws {
        let few = try await Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: "few", objectTypes: [Dog.self]))
        try fill(few, 200)
        try fill(realm, Self.objectCount)
        print("| views over \(Self.objectCount) objects | ms | min–max | bodies of rows read |")
        print("|---|--:|--:|--:|")
        try await measure("a list is shown first, with 200 rows") { _ in show(ListOfDogs()) }
        try await measure("the same of 200 objects") { _ in
            UIHost(ListOfDogs()) { $0.realmConfiguration = few.configuration }
        }
        try await measure("a filtered and sorted list is shown first") { _ in show(SortedRows()) }
        try await measure("sections are shown first, 200 rows of each of eight") { _ in
            show(SectionsOfDogs())
        }
        try await measureChanges()
    }

    private func measureChanges() async throws {
        let host = show(ListOfDogs())
        try await measure("one row changes, with the write", host) { round in
            try realm.write { dog(7)?.weight = 1000 + round }
            await host.settle()
            return host
        }
        try await measure("a row beyond those shown changes", host) { round in
            try realm.write { dog(90_000)?.weight = 1000 + round }
            await host.settle()
            return host
        }
        try await measure("the view above is evaluated again", host) { _ in
            try await host.tap(.button("Again"))
            return host
        }
        guard let dog = dog(8) else { return }
        let field = show(NameField(dog: dog))
        try await measure("a letter is typed into a bound field, with the write", field) { _ in
            try await field.type("x", into: .field("Name"))
            return field
        }
    }

    private func dog(_ id: Int) -> Dog? { realm.object(ofType: Dog.self, forPrimaryKey: id) }

    private func show<V: View>(_ view: V) -> UIHost { UIHost(view) { $0.realmConfiguration = realm.configuration } }

    private func fill(_ realm: Realm, _ count: Int) throws {
        let breeds = ["beagle", "boxer", "collie", "corgi", "hound", "poodle", "pug", "terrier"]
        try realm.write {
            for number in 0..<count {
                let dog = Dog()
                (dog.id, dog.name, dog.weight) = (number, "Dog \(number * 7919 % Self.objectCount)", number % 40)
                dog.breed = breeds[number % breeds.count]
                realm.add(dog)
            }
        }
    }

    /// Prints a row: the time of a round, and the evaluations of `Row` in the last one.
    private func measure(
        _ name: String, _ shown: UIHost? = nil, _ body: (_ round: Int) async throws -> UIHost
    ) async throws {
        var times: [Double] = []
        var bodies = 0
        for round in 0...Self.roundCount {
            let before = shown?.evaluations(of: Row.self) ?? 0
            let start = ContinuousClock.now
            let host = try await body(round)
            let time = ContinuousClock.now - start
            bodies = host.evaluations(of: Row.self) - before
            // The first round is a warm-up.
            if round > 0 {
                times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
            }
            guard host.log.isEmpty else { throw Complaint(lines: host.log) }
            if shown == nil { host.close() }
        }
        times.sort()
        let figures = [times[times.count / 2], times[0], times[times.count - 1]].map { String(format: "%.2f", $0) }
        print("| \(name) | \(figures[0]) | \(figures[1])–\(figures[2]) | \(bodies) |")
    }

    /// Messages of the toolkit about invalid views.
    private struct Complaint: Error { let lines: [String] }
}
