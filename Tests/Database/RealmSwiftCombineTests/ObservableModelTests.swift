// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// No publishers are imported: the test is that this file compiles.
import Foundation
import RealmSwift
import TestTraits
import Testing

#if canImport(Darwin) || canImport(OpenCombine)
    private class Manager: ObservableObject {
        @Published var names: [String] = []
        let events = PassthroughSubject<String, Never>()
        var subscriptions: Set<AnyCancellable> = []
        func add(_ name: String) { names.append(name) }
    }

    @Suite struct ObservableModelTests {
        @Test(.behaviour("W01")) func aModelNeedsNoImportButRealmSwift() {
            let manager = Manager()
            var seen: [[String]] = []
            manager.$names.sink { seen.append($0) }.store(in: &manager.subscriptions)
            manager.add("Rex")
            #expect(seen == [[], ["Rex"]])
        }
    }
#endif
