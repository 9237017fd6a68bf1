// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// One partition in memory. At the end all have one state: that of a plain merge of the changes in the order of their
/// integration. Each acknowledged change is in it once.
package final class PartitionWorld: SimulatedWorld {
    private static let path = "\"world\""

    private let stores: SimulatedDirectory
    private let partition: SimulatedPartition
    private let makeFile: () throws -> any SimulatedFile
    /// The changesets committed with each mark, and their forms after resets.
    private var written: [UInt64: [Changeset]] = [:]

    /// - Parameter makeFile: Makes the file of a client.
    package init(seed: UInt64, makeFile: @escaping () throws -> any SimulatedFile = { SimulatedClientFile() }) {
        self.makeFile = makeFile
        stores = SimulatedDirectory(seed: seed)
        partition = stores.partition(PartitionWorld.path)
    }

    package var mode: SyncMode { .partition }
    package var directory: any PartitionDirectory { stores }
    package var faults: [String] { stores.faults }
    package var newestVersion: UInt64 { partition.newest.version }

    package func path(_ purpose: SessionPurpose) -> String { PartitionWorld.path }

    package func sync() { stores.sync() }

    package func crash() { stores.crash() }

    package func admit(_ connection: UInt64, of client: Int?) {
        if client == nil { stores.hostile.insert(connection) }
    }

    package func expire(_ file: SaltedIdent) { partition.expire(file.ident) }

    package func passTime() {}

    // MARK: Clients

    package func makeFile(of client: Int) throws -> any SimulatedFile { try makeFile() }

    package func makeCopy(for file: any SimulatedFile) throws -> any SimulatedFile { try makeFile() }

    package func isComplete(_ copy: any SimulatedFile) -> Bool { true }

    package func begin(_ client: Int, _ file: any SimulatedFile, timestamp: UInt64) throws {
        try file.commit(SimulatedEditor.start, timestamp: timestamp)
    }

    package func write(
        mark: UInt64, _ client: Int, _ file: any SimulatedFile, timestamp: UInt64, _ generator: inout SeededGenerator
    ) throws -> Bool {
        var editor = SimulatedEditor(file.model)
        try editor.edit(mark: mark, &generator)
        written[mark] = [try file.commit(editor.changeset, timestamp: timestamp)]
        return true
    }

    package func noteRecovered(_ changeset: Changeset, mark: UInt64, on state: SyncModel) -> Bool {
        written[mark, default: []].append(changeset)
        return state.tables[SimulatedEditor.mark]?.objects[.int(Int64(mark))] != nil
    }

    package func didReset(_ client: Int, _ file: any SimulatedFile) {}

    package func isSettled(_ file: any SimulatedFile) -> Bool { file.isUploaded }

    package func disturb(_ client: Int, _ generator: inout SeededGenerator) -> Set<Int> { [] }

    // MARK: Verification

    package func verify(
        _ files: [any SimulatedFile], acknowledged: Set<UInt64>, _ report: inout SimulationReport
    ) throws {
        for (index, file) in files.enumerated() {
            try require(file.model == partition.model, "client \(index) has another state than the server")
        }
        try require(try reference() == partition.model, "the server has another state than the reference")
        try verifyMarks(acknowledged, &report)
    }

    /// Returns the state of the integrated changes without any fault.
    private func reference() throws -> SyncModel {
        var history = ServerHistory()
        var model = SyncModel()
        for change in partition.changes {
            if history.files[change.order.fileIdent] == nil { history.addFile(change.order.fileIdent) }
            guard let version = try history.integrate(change, from: change.order.fileIdent) else {
                throw Failure("a change was integrated twice")
            }
            try model.apply(version.changeset)
        }
        return model
    }

    private func verifyMarks(_ acknowledged: Set<UInt64>, _ report: inout SimulationReport) throws {
        var times: [UInt64: Int] = [:]
        for change in partition.changes {
            guard let mark = SimulatedEditor.mark(of: change.changeset) else { continue }
            times[mark, default: 0] += 1
            report.integrations += 1
            let isAsWritten = written[mark]?.contains(change.changeset) == true
            try require(isAsWritten, "change \(mark) arrived as another one")
        }
        for mark in acknowledged.sorted() {
            try require(times[mark] != nil, "the acknowledged change \(mark) is lost")
        }
        for (mark, count) in times.sorted(by: { $0.key < $1.key }) {
            // A reset recovers changes that may have arrived.
            try require(count <= written[mark]?.count ?? 0, "change \(mark) was integrated \(count) times")
        }
        let marks = partition.model.tables[SimulatedEditor.mark]?.objects.count
        try requireEqual(marks, times.count, "the number of marks")
        let total = times.values.reduce(0, +)
        try requireEqual(
            partition.model.content(at: SimulatedEditor.total), .value(.int(Int64(total))), "the total")
    }
}
