// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Objects that link to each other in long chains, added and made at once.
@Suite struct LargeGraphTests {
    class Link: Object {
        @Persisted var number: Int
        @Persisted var next: Link?
        @Persisted var others: List<Link>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let count = 20_000

    @Test func aChainIsAdded() throws {
        try withRealm([Link.self]) { realm in
            try realm.write {
                realm.add(chain(Self.count))
                #expect(realm.objects(Link.self).count == Self.count)
            }
            var (link, length) = (realm.objects(Link.self).where { $0.number == 0 }.first, 0)
            while let here = link {
                #expect(here.number == length)
                (link, length) = (here.next, length + 1)
            }
            #expect(length == Self.count)
            #expect(realm.objects(Link.self).where { $0.number == 0 }.first?.description.count ?? 0 < 2_000)
            try realm.write { realm.delete(realm.objects(Link.self)) }
        }
    }

    /// The chain hangs together by links and lists in turn.
    private func chain(_ count: Int) -> Link {
        var last: Link?
        for number in (0..<count).reversed() {
            let link = Link()
            link.number = number
            link.next = last
            if let last, number % 3 == 0 { link.others.append(last) }
            last = link
        }
        return last!
    }

    /// Objects stand in the order in which one after the other is reached, as long as that is not deep.
    @Test func orderOfAGraph() throws {
        try withRealm([Link.self]) { realm in
            try realm.write {
                let tree = Link(value: ["number": 0, "others": [["number": 1, "next": ["number": 2]], ["number": 3]]])
                realm.add(tree)
            }
            #expect(Array(realm.objects(Link.self).map(\.number)) == [0, 1, 2, 3])
        }
    }

    @Test func dictionariesInsideEachOther() throws {
        func time(_ depth: Int) throws -> Duration {
            var value: [String: Any] = ["number": depth]
            for number in (0..<depth).reversed() {
                value = number % 2 == 0 ? ["number": number, "next": value] : ["number": number, "others": [value]]
            }
            var time = Duration.zero
            try withRealm([Link.self]) { realm in
                try realm.write {
                    time = processorTime { _ = realm.create(Link.self, value: value) }
                    #expect(realm.objects(Link.self).count == depth + 1)
                }
            }
            return time
        }
        let (short, long) = (try time(30), try time(300))
        #expect(long < short * 35, "\(short), \(long)")
    }

    @Test func descriptionOfACycle() throws {
        try withRealm([Link.self]) { realm in
            try realm.write {
                let (a, b) = (realm.create(Link.self), realm.create(Link.self))
                for _ in 0..<100 {
                    a.others.append(b)
                    b.others.append(a)
                }
            }
            let text = try #require(realm.objects(Link.self).first).description
            #expect(text.utf8.count < 200_000, "\(text.utf8.count)")
            #expect(text.contains("objects skipped."))
            #expect(text.components(separatedBy: "Link {").count <= 1_001)
        }
    }
}
