// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Long chains of linked objects, added and created at once.
@Suite struct LargeGraphTests {
    class Link: TestObject {
        @Persisted var number: Int
        @Persisted var next: Link?
        @Persisted var others: List<Link>
        @Persisted(originProperty: "next") var before: LinkingObjects<Link>
    }

    class Start: TestObject {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var first: Link?
    }

    private static let count = 10_000

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

    enum Way: CaseIterable {
        case link, list, inverse

        func next(_ link: Link) -> Link? {
            switch self {
            case .link: link.next
            case .list: link.others.first
            case .inverse: link.before.first
            }
        }
    }

    /// The first object doesn't retain the following objects of the chain.
    @Test(arguments: Way.allCases) func objectsDoNotRetainTheirChain(_ way: Way) throws {
        try onSmallStack {
            try withRealm([Link.self]) { realm in
                let links = (0..<Self.count).map { Link(value: ["number": $0]) }
                try realm.write {
                    realm.add(links)
                    for (link, next) in zip(links, links.dropFirst()) {
                        switch way {
                        case .link: link.next = next
                        case .list: link.others.append(next)
                        case .inverse: next.next = link
                        }
                    }
                }
                let first = try #require(realm.objects(Link.self).where { $0.number == 0 }.first)
                var (link, length) = (first, 1)
                while let next = way.next(link) { (link, length) = (next, length + 1) }
                #expect(length == Self.count)
                #expect(first.number == 0)
            }
        }
    }

    /// Objects are stored in the order in which they are reached, up to a depth.
    @Test func orderOfAGraph() throws {
        try withRealm([Link.self]) { realm in
            try realm.write {
                let tree = Link(value: ["number": 0, "others": [["number": 1, "next": ["number": 2]], ["number": 3]]])
                realm.add(tree)
            }
            #expect(Array(realm.objects(Link.self).map(\.number)) == [0, 1, 2, 3])
        }
    }

    /// Swift deallocates the caller's value recursively, which takes a large stack.
    @Test func deepValuesNeedNoStack() throws {
        try onStack(of: 256 << 20) {
            let value = Self.values(Self.count)
            nonisolated(unsafe) let made = value
            try onSmallStack {
                try withRealm([Link.self]) { realm in
                    try realm.write { _ = realm.create(Link.self, value: made) }
                    #expect(realm.objects(Link.self).count == Self.count + 1)
                    for number in [0, 49, 50, 51, 1_000, Self.count] {
                        #expect(realm.objects(Link.self).where { $0.number == number }.count == 1)
                    }
                    let end = realm.objects(Link.self).where { $0.next == nil && $0.others.count == 0 }
                    #expect(end.map(\.number) == [Self.count])
                }
            }
        }
    }

    @Test func aChainIsCopied() throws {
        try onSmallStack {
            try withRealm([Link.self]) { realm in
                let first = self.chain(Self.count)
                try realm.write { _ = realm.create(Link.self, value: first) }
                #expect(realm.objects(Link.self).count == Self.count)
                try withRealm([Link.self]) { other in
                    try other.write {
                        for start in realm.objects(Link.self).where({ $0.number == 0 }) {
                            _ = other.create(Link.self, value: start)
                        }
                    }
                    let numbers = Set(other.objects(Link.self).map(\.number))
                    #expect(numbers.count == Self.count && other.objects(Link.self).count == Self.count)
                }
                // Freed link by link, since Swift frees a chain recursively.
                var link: Link? = first
                while let here = link {
                    link = here.next
                    here.next = nil
                    here.others.removeAll()
                }
            }
        }
    }

    /// An update rebuilds nested values, which have a depth limit.
    @Test func deepValuesOfAnUpdate() async throws {
        try withRealm([Start.self, Link.self]) { realm in
            let value: [String: Any] = ["id": 1, "first": Self.values(100)]
            try realm.write { _ = realm.create(Start.self, value: value, update: .modified) }
            #expect(realm.objects(Link.self).count == 101)
        }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try withRealm([Start.self, Link.self]) { realm in
                let value: [String: Any] = ["id": 1, "first": Self.values(250)]
                try realm.write { _ = realm.create(Start.self, value: value, update: .modified) }
            }
        }.expectText("Values are nested more than 200 levels deep.")
    }

    private static func values(_ depth: Int) -> [String: Any] {
        var value: [String: Any] = ["number": depth]
        for number in (0..<depth).reversed() {
            value = number % 2 == 0 ? ["number": number, "next": value] : ["number": number, "others": [value]]
        }
        return value
    }

    @Test func dictionariesInsideEachOther() throws {
        func time(_ depth: Int) throws -> Duration {
            let value = Self.values(depth)
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
