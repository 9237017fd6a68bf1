// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if os(Linux)
    import RealmSystem
    import Testing

    @Suite struct ImportedSymbolsTests {
        @Test func importedSymbolsAreFound() throws {
            // Every program imports memory allocation.
            #expect(try #require(ImportedSymbols.filter(prefix: "mallo") { $0 == "c" }).isEmpty == false)
            #expect(ImportedSymbols.filter(prefix: "mallo") { $0 == "w" } == [])
        }

        @Test func otherSymbolsAreNotFound() {
            #expect(ImportedSymbols.filter(prefix: "regnum_nobody_has_this") { _ in true } == [])
        }
    }
#endif
