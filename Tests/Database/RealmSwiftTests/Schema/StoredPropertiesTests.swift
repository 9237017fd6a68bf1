// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmSwift

/// The runtime's description of stored properties (Documentation/RuntimeContracts.md).
@Suite struct StoredPropertiesTests {
    private class Base {
        var first: Int8 = 1
        let second = "two"
    }

    private final class Derived: Base {
        weak var third: Base?
        var fourth = (3, 4.5)
        lazy var fifth: Int? = nil
    }

    @Test func namesTypesAndOffsets() {
        let object = Derived()
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        var names: [String] = []
        var values: [String] = []
        StoredProperties.forEach(of: Derived.self) { name, offset, type in
            names.append(String(cString: name))
            let field = address + offset
            switch type {
            case is Int8.Type: values.append("\(field.load(as: Int8.self))")
            case is String.Type: values.append(field.load(as: String.self))
            case is (Int, Double).Type: values.append("\(field.load(as: (Int, Double).self))")
            default: values.append("\(type)")
            }
        }
        withExtendedLifetime(object) {
            #expect(names == ["first", "second", "third", "fourth", "$__lazy_storage_$_fifth"])
            #expect(values == ["1", "two", "Optional<Base>", "(3, 4.5)", "Optional<Optional<Int>>"])
        }
    }
}
