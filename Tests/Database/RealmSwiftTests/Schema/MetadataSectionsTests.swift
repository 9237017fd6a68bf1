// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(ObjectiveC)
    import Testing

    @testable import RealmSwift

    private class Root {}
    private class Child: Root {}
    private final class Grandchild: Child {}
    private class Generic<Value>: Root {}
    private final class Unrelated {}

    /// The layout of the compiler's type records (Documentation/RuntimeContracts.md).
    @Suite struct MetadataSectionsTests {
        @Test func subclassesAreFound() {
            final class Local: Root {}
            let found = MetadataSections.all().flatMap { $0.classes(below: Root.self) }
            #expect(
                Set(found.map(ObjectIdentifier.init))
                    == Set([Child.self, Grandchild.self, Local.self].map(ObjectIdentifier.init)))
            #expect(found.count == 3)
            #expect(MetadataSections.all().flatMap { $0.classes(below: Unrelated.self) }.isEmpty)
        }

        /// The superclass belongs to another module.
        @Test func subclassesOfAnImportedClassAreFound() {
            let found = MetadataSections.all().flatMap { $0.classes(below: ObjectBase.self) }
            #expect(found.contains { $0 == Dog.self })
            #expect(!found.contains { $0 == Root.self })
        }
    }
#endif
