// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article Querying.
@Suite struct QueryingArticle {
    // begin Querying
    class Track: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var title: String
        @Persisted var seconds: Int
        @Persisted var rating: Int?
        @Persisted var artist: Artist?
        @Persisted var tags: MutableSet<String>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Artist: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var country: String?
        @Persisted(originProperty: "artist") var tracks: LinkingObjects<Track>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    private func withTracks(_ body: (Realm) throws -> Void) throws {
        try withRealm([Track.self, Artist.self]) { realm in
            try realm.write {
                let miles = realm.create(Artist.self, value: ["name": "Miles", "country": "US"])
                let nina = realm.create(Artist.self, value: ["name": "Nina"])
                let rows: [(String, Int, Int?, Artist, [String])] = [
                    ("Blue 1", 300, 5, miles, ["jazz"]), ("Blue 10", 540, nil, miles, ["jazz", "live"]),
                    ("blue 2", 200, 4, nina, ["soul"]), ("Feeling", 170, 5, nina, ["jazz", "soul"]),
                ]
                for (id, row) in rows.enumerated() {
                    let track = realm.create(Track.self, value: ["id": id, "title": row.0, "seconds": row.1])
                    track.rating = row.2
                    track.artist = row.3
                    track.tags.insert(objectsIn: row.4)
                }
            }
            try body(realm)
        }
    }

    @Test func conditions() throws {
        try withTracks { realm in
            // begin Querying
            let tracks = realm.objects(Track.self)
            let long = tracks.where { $0.seconds > 240 && $0.rating != nil }
            let blue = tracks.where { $0.title.starts(with: "blue", options: .caseInsensitive) }
            let some = tracks.where { $0.seconds.contains(180...300) }
            let byId = tracks.where { $0.id.in([1, 3]) }
            let american = tracks.where { $0.artist.country == "US" }
            let jazz = tracks.where { $0.tags.contains("jazz") }
            let busy = realm.objects(Artist.self).where { $0.tracks.count >= 2 }
            // end
            #expect(long.map(\.title) == ["Blue 1"] && blue.count == 3 && some.count == 2 && byId.count == 2)
            #expect(american.count == 2 && jazz.count == 3 && busy.count == 2)

            // begin Querying
            let withAShortHit = realm.objects(Artist.self).where { artist in
                (artist.tracks.seconds < 180 && artist.tracks.rating == 5).count > 0
            }
            // end
            #expect(withAShortHit.map(\.name) == ["Nina"])
        }
    }

    @Test func texts() throws {
        try withTracks { realm in
            let tracks = realm.objects(Track.self)
            // begin Querying
            let format = tracks.filter("seconds > %@ AND artist.name BEGINSWITH[c] %@", 180, "m")
            let predicate = tracks.filter(NSPredicate(format: "rating = nil"))
            let foundation = tracks.filter(#Predicate { $0.seconds > 180 && $0.title.contains("Blue") })
            let statement = try tracks.query("seconds > 180 SORT(seconds DESC) LIMIT(2)")
            // end
            #expect(format.count == 2 && predicate.count == 1 && foundation.count == 2)
            #expect(statement.map(\.seconds) == [540, 300])
        }
    }

    @Test func orders() throws {
        try withTracks { realm in
            let tracks = realm.objects(Track.self)
            // begin Querying
            let longestFirst = tracks.sorted(by: \.seconds, ascending: false)
            let byArtist = tracks.sorted(by: [
                SortDescriptor(keyPath: "artist.name"), SortDescriptor(keyPath: "seconds", ascending: false),
            ])
            let asPeopleCount = tracks.sorted(by: \.title, order: .natural)
            let top = longestFirst.limit(2)
            let oneOfEachArtist = tracks.distinct(by: ["artist.name"])
            // end
            #expect(longestFirst.first?.seconds == 540 && byArtist.map(\.seconds) == [540, 300, 200, 170])
            #expect(asPeopleCount.map(\.title) == ["Blue 1", "blue 2", "Blue 10", "Feeling"])
            #expect(top.count == 2 && oneOfEachArtist.count == 2)
        }
    }

    @Test func aggregates() throws {
        try withTracks { realm in
            let tracks = realm.objects(Track.self)
            // begin Querying
            let total: Int = tracks.sum(of: \.seconds)
            let best = tracks.max(of: \.rating)
            let average: Double? = tracks.average(ofProperty: "seconds")
            let perArtist = tracks.group(by: \.artist?.name).sum(of: \.seconds)
            for (artist, seconds) in perArtist {
                print(artist ?? "unknown", seconds)
            }
            // end
            #expect(total == 1210 && best == 5 && average == 302.5 && perArtist[key: "Miles"] == 840)

            // begin Querying
            let sections = tracks.sectioned(by: { $0.title.prefix(1).uppercased() }, sortDescriptors: ["title"])
            for section in sections {
                print(section.key, section.map(\.title))
            }
            // end
            #expect(sections.allKeys == ["B", "F"])

            // begin Querying
            print(tracks.where { $0.title == "Feeling" }.explain())
            // end
            #expect(tracks.where { $0.title == "Feeling" }.explain().description.contains("index"))
        }
    }
}
