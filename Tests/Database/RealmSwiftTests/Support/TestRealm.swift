// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

let sharedTypes: [ObjectBase.Type] = [Person.self, Dog.self, DogToy.self, Address.self, AllTypes.self]

/// Runs `body` with a new Realm of the shared models, and audits its file afterwards.
///
/// The tests use Observation, so their Realms track reads. Hence each object has its own accessor.
func withRealm(
    _ types: [ObjectBase.Type] = sharedTypes, tracksReads: Bool = ReadTracker.isWanted, _ body: (Realm) throws -> Void
) throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path + "/test.realm")
    try open(url, types, tracksReads, body)
    try FileAudit.requireClean(path: url.path, strict: false)
}

/// A separate function, so that everything that holds the Realm is released when it returns.
@inline(never)
private func open(
    _ url: URL, _ types: [ObjectBase.Type], _ tracksReads: Bool, _ body: (Realm) throws -> Void
) throws {
    var configuration = Realm.Configuration(fileURL: url, objectTypes: types)
    configuration.access.tracksReads = tracksReads
    try body(try Realm(configuration: configuration))
}

/// Like `withRealm`, for exit tests: within a write transaction.
func inWrite(_ types: [ObjectBase.Type]? = nil, _ body: (Realm) throws -> Void) {
    do {
        try withRealm(types ?? sharedTypes) { realm in try realm.write { try body(realm) } }
    } catch { print("unexpected: \(error)") }
}

/// Like `withRealm`, for exit tests.
func inRealm(_ types: [ObjectBase.Type]? = nil, _ body: (Realm) throws -> Void) {
    do { try withRealm(types ?? sharedTypes) { try body($0) } } catch { print("unexpected: \(error)") }
}

/// A file that a test opens several times, with different models. Audited whenever it is closed.
struct TemporaryFolderURL {
    private let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: folder.path + "/test.realm")
    }

    /// With `additive`, the file may have additional columns and lack some.
    @inline(never)
    func open(_ types: [ObjectBase.Type], additive: Bool = false, _ body: (Realm) throws -> Void) throws {
        try opened(types, additive, body)
        try FileAudit.requireClean(path: url.path, strict: false)
    }

    @inline(never)
    private func opened(_ types: [ObjectBase.Type], _ additive: Bool, _ body: (Realm) throws -> Void) throws {
        var configuration = Realm.Configuration(fileURL: url, objectTypes: types)
        if additive { configuration.schemaRules.mode = .additive }
        try body(try Realm(configuration: configuration))
    }
}
