// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmSwift

/// The common layout of optional class references (Documentation/RuntimeContracts.md).
@Suite struct LinkLayoutTests {
    /// Reads wrappers without a value, with nil, and with an object.
    private func read<Link: _Persistable, Base: _Persistable>(
        _ wrappers: [Persisted<Link>], as base: Persisted<Base>.Type
    ) throws -> [Base?] {
        let size = MemoryLayout<Persisted<Base>>.stride
        try #require(MemoryLayout<Persisted<Link>>.stride == size)
        #expect(MemoryLayout<Persisted<Link>>.offset(of: \.key) == MemoryLayout<Persisted<Base>>.offset(of: \.key))
        return wrappers.withUnsafeBytes { bytes in
            wrappers.indices.map { bytes.load(fromByteOffset: $0 * size, as: Persisted<Base>.self).value }
        }
    }

    @Test func aLinkIsReadAsALinkOfTheBaseClass() throws {
        let dog: Dog? = Dog()
        let links = try read(
            [Persisted<Dog?>(), Persisted<Dog?>(wrappedValue: nil), Persisted<Dog?>(wrappedValue: dog)],
            as: Persisted<Object?>.self)
        #expect(links.map { $0 == nil } == [true, false, false])
        #expect(links.map { ($0 ?? nil) === dog } == [false, false, true])
        let address: Address? = Address()
        let embedded = try read(
            [
                Persisted<Address?>(), Persisted<Address?>(wrappedValue: nil),
                Persisted<Address?>(wrappedValue: address),
            ],
            as: Persisted<EmbeddedObject?>.self)
        #expect(embedded.map { $0 == nil } == [true, false, false])
        #expect(embedded.map { ($0 ?? nil) === address } == [false, false, true])
    }
}
