// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmStorage
    import RealmSystem
    import RealmTestSupport
    import Testing

    @Suite struct DatabaseAccountStoreTests {
        @Test func onlyItsOwnerCanReadTheFile() throws {
            let folder = try TemporaryFolder()
            _ = try DatabaseAccountStore(at: folder.path + "/a.realm")
            #expect(FileStatus(folder.path + "/a.realm").map { FilePermissions(of: $0).mode } == 0o600)
        }

        @Test func anotherFileIsRefused() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            do {
                let database = try Database.open(path)
                let transaction = try database.beginWrite()
                _ = try transaction.schema.addTable("class_Account")
                _ = try transaction.commit()
            }
            #expect(throws: StorageError.self) { try DatabaseAccountStore(at: path) }
        }
    }
#endif
