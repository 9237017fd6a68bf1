// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Glibc)
    import Foundation
    import RealmStorage
    import RealmTestSupport
    import Testing

    /// A process with few addresses maps smaller windows.
    @Suite struct NarrowSpaceTests {
        @Test(arguments: [512, 1024, 4096], [false, true])
        func aDatabaseFits(_ megabytes: Int, _ isEncrypted: Bool) throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            let options = isEncrypted ? ["--encrypted"] : []
            let child = try ChildProcess(options + ["narrow", path, "\(megabytes)"])
            #expect(try child.nextLine() == "done")
            try FileAudit.requireClean(path: path, cipher: isEncrypted ? QuickCipher() : nil)
        }
    }
#endif
