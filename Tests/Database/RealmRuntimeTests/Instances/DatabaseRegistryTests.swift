// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmSystem
import RealmTestSupport
import Testing

/// The names and the lifetimes of registered databases and instances.
@Suite struct DatabaseRegistryTests {
    private final class OpenFile: Sendable {
        let path: String
        init(_ path: String) { self.path = path }
    }

    private let registry = DatabaseRegistry<OpenFile> { LatestIdentity(FileIdentity($0.path)) }

    private func open(_ path: String) -> OpenFile {
        registry.whileOpening(path) { known in
            known
                ?? registry.opening(path) { () -> (shared: OpenFile, opened: OpenFile) in
                    let file = OpenFile(path)
                    return (file, file)
                }
        }
    }

    @Test func aDatabaseIsSharedAsLongAsItIsUsed() {
        do {
            let file = open("a")
            #expect(open("a") === file && registry.database(named: "b") == nil)
        }
        #expect(registry.database(named: "a") == nil)
    }

    @Test func aFileThatIsOpenUnderAnotherNameIsFoundByIt() throws {
        let folder = try TemporaryFolder()
        let (path, link, other) = (folder.path + "/a", folder.path + "/link", folder.path + "/b")
        for path in [path, other] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.linkItem(atPath: path, toPath: link)
        #expect(registry.name(link, ofFile: link) == link)
        let file = open(path)
        #expect(registry.name(link, ofFile: link) == path)
        #expect(registry.name(other, ofFile: other) == other)
        #expect(registry.name(path, ofFile: path) == path && registry.name("memory", ofFile: nil) == "memory")
        withExtendedLifetime(file) {}
    }

    /// The search for the name of a file referenced all databases for a moment, so one that another thread had closed
    /// was still open for it.
    @Test func aSearchForANameKeepsNoDatabaseOpen() throws {
        let folder = try TemporaryFolder()
        let other = folder.path + "/other"
        for path in [other, folder.path + "/a"] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
        let isOver = Locked(false)
        let searches = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: searches) { [registry] in
                while !isOver.withLock({ $0 }) { _ = registry.name(other, ofFile: other) }
            }
        }
        var kept = 0
        for _ in 0..<20_000 {
            do { withExtendedLifetime(open(folder.path + "/a")) {} }
            if registry.database(named: folder.path + "/a") != nil { kept += 1 }
        }
        isOver.withLock { $0 = true }
        searches.wait()
        #expect(kept == 0)
    }

    @Test func anInstanceIsFoundInItsConfinementAsLongAsItIsUsed() throws {
        let (database, queue) = (try RuntimeDatabase(), DispatchQueue(label: "registry"))
        let place = Confinement.queue(.of(queue), queue).key
        do {
            let instance = try queue.sync { try RealmInstance(database, on: queue) }
            registry.add(instance.reference, of: "a", at: place)
            #expect(registry.instance(of: "a", at: place)?.instance === instance)
            #expect(registry.instance(of: "a", at: Confinement.main.key) == nil)
            #expect(registry.instance(of: "b", at: place) == nil)
        }
        // The port of the instance may be checking for a newer version.
        queue.sync {}
        #expect(registry.instance(of: "a", at: place)?.instance == nil)
    }
}
