// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Invalid queries, which end the process when they are created.
@Suite struct QueryErrorTests: TrapSuite {
    static let cases: [(predicate: String, text: String)] = [
        ("firstName == 'x'", "Property 'firstName' not found in object of type 'Walker'"),
        ("first_word == 'x'", "Property 'first_word' not found in object of type 'Walker'"),
        ("name MATCHES 'a.*'", "Operator 'MATCHES' not supported for type 'string'"),
        ("isDone > true", "Operator '>' not supported for type 'bool'"),
        ("name <[c] 'b'", "Lexicographical comparisons must be case-sensitive"),
        ("pets.age > 3", "Key paths that include a collection property must use aggregate operations: 'pets.age > "),
        ("ANY id > 3", "Aggregate operations can only be used on key paths that include an collection property"),
        ("ALL pets.age > 3", "ALL modifier not supported"),
        ("pets.@avg == 3", "cannot appear at the end of a keypath."),
        ("name BETWEEN {'a', 'b'}", "Operator 'BETWEEN' not supported for type 'string'"),
        ("numbers.@count.x == 1", "@count must appear at the end of a keypath."),
        ("pets.@foo.age == 1", "Unsupported collection operation '@foo'"),
        ("pets.@count == 'x'", "@count can only be compared with a numeric value."),
        ("id.x == 1", "is not a link or collection and can only appear at the end of a keypath."),
        ("name == 3", "Cannot compare value '3' of type 'int' to property 'name' of type 'string'"),
        ("id == weight", "Property type mismatch between int and double"),
        ("1 == 1", "Predicate expressions must compare a keypath and another keypath or a constant value"),
        ("id == 'x'", "name 'Invalid value'"),
    ]

    @Test(
        "predicates", .behaviour("B-433 to B-443", "B-445 to B-447", "B-449 to B-450", "S24"), arguments: cases.indices)
    func predicates(_ index: Int) async {
        let predicate = Self.cases[index].predicate
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            [predicate = predicate as String] in
            inWalkers { _ = $0.filter(predicate) }
        }
        let text = Self.cases[index].text
        if text.hasPrefix("name ") {
            result.expectText("uncaught exception \(text.dropFirst(5))")
        } else {
            result.expectText(text)
        }
    }

    @Test(.behaviour("B-419", "B-425", "B-332", "B-333", "B-272"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap(
            """
            Invalid keypath 'id.@avg': Property 'Walker.id' is not a link or collection and can only appear at the end \
            of a keypath.
            """
        ) {
            inWalkers { _ = $0.where { $0.id.avg == 1 } }
        },
        Trap("A collection can only be the left operand of '=='.") {
            inWalkers { _ = $0.where { $0.name == $0.pets.name } }
        },
        Trap("NSArray object must contain exactly two objects for BETWEEN operations") {
            inWalkers { _ = $0.filter("id BETWEEN %@", [1]) }
        },
        Trap("This method may only be called on RLMArray instances retrieved from an RLMRealm") {
            _ = List<Pet>().filter("age > 3")
        },
        Trap("Querying is currently only implemented for arrays of Realm Objects") {
            inWalkers { _ = $0[0].numbers.filter("self > 3") }
        },
        Trap("Object must be from the Realm being queried") {
            inWalkers { walkers in
                inWalkers { others in
                    let pet = others[0].pet
                    _ = walkers.where { $0.pet == pet }
                }
            }
        },
    ]
}
