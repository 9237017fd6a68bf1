// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Writes that the merge discards because the file receives an erasure of the object, which others still have.
    @Suite(.timeLimited) struct DiscardedWriteTests {
        private let folder: TemporaryFolder
        private let partition: StoredPartition
        private let (ann, bob): (UInt64, UInt64)

        /// Bob's query is `n > 3`. The object 1 is in it.
        init() throws {
            folder = try TemporaryFolder()
            partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            partition.rights = GrantedRights()
            partition.rights?.grant(.unrestricted, to: "")
            ann = try partition.addFile().ident
            bob = try partition.addFile().ident
            try partition.flush()
            _ = try partition.subscribe(ann, to: VersionedQuery(version: 0, text: "{}"), at: 0)
            try partition.integrate([UploadedChange(SimpleChanges.schema, 1, from: ann)], from: ann)
            for (file, query) in [(ann, "TRUEPREDICATE"), (bob, "n > 3")] { try subscribe(file, query) }
            try upload(SimpleChanges.create(1, n: 5), 2, ann)
        }

        private func subscribe(_ file: UInt64, _ query: String, version: UInt64 = 1) throws {
            _ = try partition.subscribe(
                file, to: VersionedQuery(version: version, text: #"{"Note":"\#(query)"}"#),
                at: partition.newest.version)
        }

        private func upload(
            _ changeset: Changeset, _ version: UInt64, _ file: UInt64, basedOn server: UInt64? = nil
        ) throws {
            let server = server ?? partition.newest.version
            try partition.integrate(
                [UploadedChange(changeset, version, from: file, basedOn: server)], from: file)
        }

        /// Uploads a change of bob, and returns the reasons of its report.
        private func reasons(_ changeset: Changeset, _ version: UInt64 = 1, basedOn server: UInt64) throws -> [String] {
            let before = partition.newest.version
            try upload(changeset, version, bob, basedOn: server)
            try partition.flush()
            return partition.reports(for: bob, after: before).flatMap(\.updates).map { update in
                #expect(update.object == SimpleChanges.object(1))
                return String(update.reason.split(separator: ";").last ?? "")
            }
        }

        /// The instructions that bob receives after a version.
        private func downloads(after version: UInt64) throws -> [Instruction] {
            let batch = try partition.downloads(
                for: bob, after: version, through: partition.newest.version, limit: .max)
            return try batch.entries.flatMap { try Changeset(decoding: $0.changeset).instructions }
        }

        private static let outside = " object is outside of the current query view"
        private static let replaced = " the server has replaced the object since"
        private var edit: Changeset { SimpleChanges.insert("x", at: 0, of: 0, in: 1) }

        @Test func anEditOfAnObjectThatAnotherClientMovedOutOfTheViewIsReported() throws {
            let start = partition.newest.version
            try upload(SimpleChanges.set(0, of: 1), 3, ann)
            let moved = partition.newest.version
            #expect(try reasons(edit, basedOn: start) == [Self.outside])
            #expect(try downloads(after: moved) == [.eraseObject(SimpleChanges.object(1))])
            // The next write on the same basis is lost too.
            #expect(try reasons(SimpleChanges.set(9, of: 1), 2, basedOn: start) == [Self.outside])
            #expect(
                try partition.model()
                    == {
                        var m = try model(); try m.apply(SimpleChanges.set(0, of: 1)); return m
                    }())
        }

        private func model() throws -> SyncModel {
            var model = SyncModel()
            for changeset in [SimpleChanges.schema, SimpleChanges.create(1, n: 5)] { try model.apply(changeset) }
            return model
        }

        @Test func anEditOfAnObjectThatANewQueryDropsIsReported() throws {
            let start = partition.newest.version
            try subscribe(bob, "n > 6", version: 2)
            #expect(try reasons(edit, basedOn: start) == [Self.outside])
            #expect(try partition.model() == model())
        }

        @Test func anEditOfAnObjectThatIsSentAnewIsReportedAndItsStateIsRestored() throws {
            let start = partition.newest.version
            var rights = UserRights.unrestricted
            rights.others.readableFields = .allBut(["tags"])
            partition.rights?.grant(rights, to: "")
            try subscribe(bob, "n > 3", version: 2)
            let bootstrap = partition.newest.version
            #expect(try reasons(SimpleChanges.set(7, of: 1), basedOn: start) == [Self.replaced])
            let restored = try downloads(after: bootstrap)
            #expect(
                Array(restored.prefix(2)) == [
                    .eraseObject(SimpleChanges.object(1)), .createObject(SimpleChanges.object(1)),
                ])
            #expect(restored.contains(SimpleChanges.set(5, of: 1).instructions[0]))
            #expect(try partition.model() == model())
        }

        @Test func aSecondWriteToARejectedObjectIsReportedUnlessItErasesTheObject() throws {
            try upload(Changeset([.eraseObject(SimpleChanges.object(1))]), 3, ann)
            let start = partition.newest.version
            #expect(try reasons(SimpleChanges.create(1, n: 1), basedOn: start) == [Self.outside])
            #expect(try reasons(SimpleChanges.set(8, of: 1), 2, basedOn: start) == [Self.replaced])
            #expect(try reasons(Changeset([.eraseObject(SimpleChanges.object(1))]), 3, basedOn: start) == [])
            #expect(try !partition.holds(SimpleChanges.object(1)))
        }

        @Test func anErasureByAnotherClientWinsWithoutAReport() throws {
            let start = partition.newest.version
            try upload(Changeset([.eraseObject(SimpleChanges.object(1))]), 3, ann)
            #expect(try reasons(edit, basedOn: start) == [])
        }

        @Test func anEditOfAnObjectThatHasLeftTheViewAndIsErasedIsNotReported() throws {
            let start = partition.newest.version
            try upload(SimpleChanges.set(0, of: 1), 3, ann)
            try upload(Changeset([.eraseObject(SimpleChanges.object(1))]), 4, ann)
            #expect(try reasons(edit, basedOn: start) == [])
        }
    }
#endif
