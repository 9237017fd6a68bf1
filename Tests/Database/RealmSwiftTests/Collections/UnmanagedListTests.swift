// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Unmanaged lists (collections 5, behaviours B-310 to B-337).
@Suite struct UnmanagedListTests: TrapSuite {
    func list(_ elements: [String] = ["a", "b", "c"]) -> List<String> {
        let list = List<String>()
        list.append(objectsIn: elements)
        return list
    }

    @Test func reading() {
        let list = list()
        #expect(list.count == 3 && list[1] == "b" && list.first == "a" && list.last == "c")
        #expect(Array(list) == ["a", "b", "c"] && list.index(of: "c") == 2 && list.index(of: "d") == nil)
        #expect(Array(list[1...]) == ["b", "c"] && list.objects(at: [0, 2]) == ["a", "c"])
        #expect(list.realm == nil && !list.isInvalidated && List<Int>().isEmpty && List<Int>().first == nil)
        #expect(Array(list.map { $0 + "!" }) == ["a!", "b!", "c!"])
    }

    @Test func changingWhileIterating() {
        let list = list()
        var seen: [String] = []
        for element in list {
            seen.append(element)
            list.removeAll()
        }
        #expect(seen == ["a", "b", "c"] && list.isEmpty)
    }

    @Test func sorting() {
        var sortable = list(["c", "a", "b"])
        let list = sortable
        sortable.sort()
        #expect(Array(list) == ["a", "b", "c"])
    }

    /// Every set of offsets with every destination. The convention is: the elements that stay before the destination,
    /// then the moved ones, then the rest.
    @Test func movingMany() {
        for bits in 0..<32 {
            for destination in 0...5 {
                let list = list(["a", "b", "c", "d", "e"])
                let all = Array(list)
                let offsets = IndexSet((0..<5).filter { bits >> $0 & 1 == 1 })
                list.move(fromOffsets: offsets, toOffset: destination)
                let before = (0..<destination).filter { !offsets.contains($0) }.map { all[$0] }
                let after = (destination..<5).filter { !offsets.contains($0) }.map { all[$0] }
                #expect(Array(list) == before + offsets.map { all[$0] } + after, "\(offsets) to \(destination)")
            }
        }
    }

    @Test func equality() {
        #expect(list() == list() && list() != list(["a"]))
        let dog = Dog()
        let (one, two) = (List<Dog>(), List<Dog>())
        one.append(dog)
        two.append(dog)
        #expect(one == two)
        two[0] = Dog()
        #expect(one != two)
    }

    @Test func description() {
        let text = list().description
        #expect(text.hasPrefix("List<string> <0x") && text.hasSuffix("> (\n\t[0] a,\n\t[1] b,\n\t[2] c\n)"))
        let many = List<Int?>()
        many.append(objectsIn: (0..<101).map { $0 })
        #expect(many.description.hasPrefix("List<int?> <0x"))
        #expect(many.description.hasSuffix(",\n\t[99] 99\n\t... 1 objects skipped.\n)"))
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Index 0 is out of bounds (must be less than 0).") { _ = List<Int>()[0] },
        Trap("Cannot pass a negative value for 'index'.") { List<Int>().insert(1, at: -1) },
        Trap("Cannot pass a negative value for 'index1'.") { List<Int>().swapAt(-1, 0) },
    ]
}
