// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

private enum Rank: Int, PersistableEnum {
    case low = 1
    case high = 2
    case highest = 10
}

private enum Genre: String, PersistableEnum {
    case rock = "x-rock"
    case jazz = "jazz"
    case blues = "x-blues"
}

private final class Track: TestObject {
    @Persisted var id: Int
    @Persisted var rank: Rank
    @Persisted var optRank: Rank?
    @Persisted var genre: Genre
    @Persisted var optGenre: Genre?
    @Persisted var ranks: List<Rank>
    @Persisted var optRanks: List<Rank?>
    @Persisted var genreSet: MutableSet<Genre>
    @Persisted var optGenreSet: MutableSet<Genre?>
    @Persisted var rankMap: Map<String, Rank>
    @Persisted var optGenreMap: Map<String, Genre?>
}

/// The table of `Track` with the raw types.
private final class RawTrack: TestObject {
    @Persisted var rank: Int
    @Persisted var optRank: Int?
    @Persisted var ranks: List<Int>
    override class func _realmObjectName() -> String? { "Track" }
}

private final class PlacePoint: TestEmbedded {
    @Persisted var x: Double
    @Persisted var label: String?
}

private struct Place: CustomPersistable, Equatable {
    typealias PersistedType = PlacePoint
    var x: Double
    var label: String?
    init(_ x: Double, _ label: String?) { (self.x, self.label) = (x, label) }
    init(persistedValue: PlacePoint) { (x, label) = (persistedValue.x, persistedValue.label) }
    var persistableValue: PlacePoint { PlacePoint(value: ["x": x, "label": label as Any]) }
}

private final class PathPoints: TestEmbedded {
    @Persisted var xs: List<Double>
}

private struct Route: CustomPersistable {
    typealias PersistedType = PathPoints
    var xs: [Double]
    init(_ xs: [Double]) { self.xs = xs }
    init(persistedValue: PathPoints) { xs = Array(persistedValue.xs) }
    var persistableValue: PathPoints { PathPoints(value: ["xs": xs]) }
}

private final class Trip: TestObject {
    @Persisted var id: Int
    @Persisted var place: Place
    @Persisted var optPlace: Place?
    @Persisted var route: Route

    static let types: [ObjectBase.Type] = [Trip.self, PlacePoint.self, PathPoints.self]
}

/// Enums, and types stored as others (behaviours B-082 to B-099).
@Suite struct ConvertingPropertyTests: TrapSuite {
    @Test(.behaviour("B-082")) func dynamicAccessSeesTheRawValue() throws {
        try withRealm([Track.self]) { realm in
            let track = try realm.write { realm.create(Track.self, value: ["rank": Rank.high]) }
            #expect(track["rank"] as? Int == 2 && track["optRank"] == nil && track["genre"] as? String == "x-rock")
            try realm.write { track["rank"] = 10 }
            #expect(track.rank == .highest)
        }
    }

    private static func storeUnknown(_ body: (Track) throws -> Void) {
        do {
            let folder = try TemporaryFolderURL()
            try folder.open([RawTrack.self]) { realm in
                try realm.write {
                    _ = realm.create(RawTrack.self, value: ["rank": 99, "optRank": 99, "ranks": [99]])
                }
            }
            try folder.open([Track.self], additive: true) { realm in
                if let track = realm.objects(Track.self).first { try body(track) }
            }
        } catch { print("unexpected: \(error)") }
    }

    @Test(.behaviour("B-083")) func noCaseIsNil() {
        Self.storeUnknown { #expect($0.optRank == nil) }
    }

    @Test(.behaviour("B-084", "B-098"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Could not convert value '99' to type 'Rank'. It is the value of 'Track.rank'.") {
            ConvertingPropertyTests.storeUnknown { _ = $0.rank }
        },
        Trap("Could not convert value '99' to type 'Rank'.") {
            ConvertingPropertyTests.storeUnknown { _ = $0.ranks[0] }
        },
        Trap(
            "Unsupported property 'PathPoints.xs' for memberwise equality query: equality on collections is not "
                + "implemented."
        ) {
            inRealm(Trip.types) { realm in _ = realm.objects(Trip.self).where { $0.route == Route([1]) }.count }
        },
    ]

    @Test(.behaviour("B-085", "B-086", "B-088")) func queriesAndOrder() throws {
        #expect(Rank.low < .high && Rank.high < .highest && Genre.jazz < .rock)
        try withRealm([Track.self]) { realm in
            try realm.write {
                realm.create(Track.self, value: ["id": 0, "rank": Rank.highest, "genre": Genre.jazz])
                realm.create(Track.self, value: ["id": 1, "rank": Rank.low, "genre": Genre.rock])
                realm.create(Track.self, value: ["id": 2, "rank": Rank.high, "optGenre": Genre.blues])
            }
            let tracks = realm.objects(Track.self)
            #expect(tracks.where { $0.rank == .low }.map(\.id) == [1])
            #expect(tracks.where { $0.rank > .low }.map(\.id) == [0, 2])
            #expect(tracks.where { $0.genre.rawValue.starts(with: "x") }.map(\.id) == [1, 2])
            #expect(tracks.where { $0.optGenre.rawValue.contains("blues") }.map(\.id) == [2])
            #expect(tracks.where { $0.rank.rawValue > 1 && $0.rank.rawValue < 10 }.map(\.id) == [2])
            #expect(tracks.sorted(by: \.rank).map(\.id) == [1, 2, 0] && tracks.max(of: \.rank) == .highest)
        }
    }

    @Test(.behaviour("B-087")) func collections() throws {
        let values: [String: Any] = [
            "optRank": Rank.high, "ranks": [Rank.low, .high], "optRanks": [Rank.low, nil],
            "genreSet": [Genre.jazz, .rock], "optGenreSet": [Genre.jazz, nil], "rankMap": ["a": Rank.highest],
            "optGenreMap": ["a": Genre.blues, "b": nil],
        ]
        func verify(_ track: Track) {
            #expect(track.rank == .low && track.genre == .rock && track.optRank == .high && track.optGenre == nil)
            #expect(Array(track.ranks) == [.low, .high] && Array(track.optRanks) == [.low, nil])
            #expect(track.genreSet.contains(.jazz) && track.genreSet.contains(.rock) && track.genreSet.count == 2)
            #expect(track.optGenreSet.contains(nil) && track.optGenreSet.contains(.jazz))
            #expect(track.rankMap["a"] == .highest && track.optGenreMap["a"] == .some(.blues))
            #expect(track.optGenreMap["b"] == .some(nil))
        }
        verify(Track(value: values))
        let file = try TemporaryFolderURL()
        try file.open([Track.self]) { realm in
            verify(try realm.write { realm.create(Track.self, value: values) })
        }
        try file.open([Track.self]) { verify(try #require($0.objects(Track.self).first)) }
    }

    @Test(.behaviour("B-097")) func memberwiseEquality() throws {
        try withRealm(Trip.types) { realm in
            try realm.write {
                for (id, place) in [Place(1, "a"), Place(1, nil), Place(2, "a")].enumerated() {
                    let trip = realm.create(Trip.self, value: ["id": id])
                    trip.place = place
                    if id == 2 { trip.optPlace = place }
                }
            }
            let trips = realm.objects(Trip.self)
            #expect(trips.where { $0.place == Place(1, "a") }.map(\.id) == [0])
            #expect(trips.where { $0.place == Place(1, nil) }.map(\.id) == [1])
            #expect(trips.where { $0.place != Place(1, nil) }.map(\.id) == [0, 2])
            #expect(trips.where { $0.optPlace == Place(2, "a") }.map(\.id) == [2])
            #expect(trips.where { $0.optPlace == nil }.map(\.id) == [0, 1])
        }
    }
}
