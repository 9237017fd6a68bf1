// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// Requests of a simulated app's users for documents, whose responses and effects are verified.
    struct SimulatedDocuments {
        /// A change that isn't durable yet.
        private struct Change {
            let work: DocumentWork
            let description: String
            let end: (inout SimulatedDocuments, HTTPResponse) throws -> Void
        }

        /// The keys of marks that requests insert. Clients have smaller ones.
        static let firstMark: Int64 = 1 << 40

        private let users: SimulatedUsers
        private var pending: [Int: [Change]] = [:]
        private(set) var count = 0
        private(set) var refusals = 0
        private var lastMark = SimulatedDocuments.firstMark
        /// The marks whose insertion was acknowledged.
        private(set) var marks: Set<Int64> = []
        /// The acknowledged additions to the counter, and those without a response.
        private(set) var (additions, uncertainAdditions) = (0, 0)

        init(_ users: SimulatedUsers) { self.users = users }

        // MARK: Requests

        /// Makes a random request at a node whose documents are durable and can be changed.
        mutating func request(
            _ user: Int, of node: Int, in app: SimulatedApp, _ generator: inout SeededGenerator
        ) throws {
            count += 1
            switch generator.below(10) {
            case 0: try read(user, node, app)
            case 1, 2:
                lastMark += 1
                let document = ExtendedJSON.document([.init("_id", .int64(lastMark))])
                try change(user, "insertOne", SimulatedEditor.mark, [.init("document", document)], node, app) {
                    [lastMark] documents, response in
                    guard try documents.isAcknowledged(response) else { return }
                    documents.marks.insert(lastMark)
                }
            case 3:
                let total = ExtendedJSON.document([.init("_id", .int64(0))])
                let update = ExtendedJSON.document([.init("$inc", .document([.init("n", .int64(1))]))])
                try change(
                    user, "updateOne", SimulatedEditor.counter, [.init("query", total), .init("update", update)], node,
                    app
                ) { documents, response in
                    if try documents.isAcknowledged(response) {
                        documents.additions += 1
                    } else {
                        documents.uncertainAdditions += 1
                    }
                }
            default: try changeItems(user, node, app, &generator)
            }
        }

        private func isAcknowledged(_ response: HTTPResponse) throws -> Bool {
            guard response.status != 503 else { return false }
            try requireStatus(response, 200)
            return true
        }

        private func requireStatus(_ response: HTTPResponse, _ status: Int) throws {
            let text = String(decoding: response.body, as: UTF8.self)
            try require(response.status == status, "the response is \(response.status) \(text), not \(status)")
        }

        func read(_ user: Int, _ node: Int, _ app: SimulatedApp) throws {
            let outcome = try users.call(user, "find", on: SimulatedEditor.item, [], app.nodes[node])
            guard case .ended(let response) = outcome else { throw Failure("a read is a change") }
            try withTrace("the documents of \(users.describe(user: user))") {
                try requireStatus(response, 200)
                guard let table = try app.model(node).tables[SimulatedEditor.item],
                    let json = try? JSON(parsing: response.body), case .array(let found)? = ExtendedJSON(json)
                else { throw Failure("the response isn't an array") }
                let documents = found.map(SimulatedRequest.canonical).sorted { key($0) < key($1) }
                try requireEqual(documents, SimulatedRequest.documents(table, users.rights(ofUser: user)))
            }
        }

        private func key(_ document: ExtendedJSON) -> Int64 {
            guard case .document(let members) = document,
                case .int64(let key)? = members.first(where: { $0.name == "_id" })?.value
            else { return -1 }
            return key
        }

        private mutating func changeItems(
            _ user: Int, _ node: Int, _ app: SimulatedApp, _ generator: inout SeededGenerator
        ) throws {
            guard let items = try app.model(node).tables[SimulatedEditor.item] else { return }
            let request = SimulatedRequest(items, users.rights(ofUser: user), &generator)
            try change(user, request.name, SimulatedEditor.item, request.arguments, node, app) { documents, response in
                if response.status == 503 { return }
                if request.result != .success([:]), response.status != 200 { documents.refusals += 1 }
                switch request.result {
                case .success: try documents.requireStatus(response, 200)
                case .conflict: try documents.requireStatus(response, 409)
                case .notPermitted: try documents.requireStatus(response, 403)
                }
            }
            let found = try app.model(node).tables[SimulatedEditor.item]?.objects
            var expected = items.objects
            if case .success(let objects) = request.result { expected = objects }
            let description = "\(request.name) \(ExtendedJSON.document(request.arguments))"
            try withTrace("\(description) of \(users.describe(user: user))") {
                let keys = Set(expected.keys).union((found ?? [:]).keys).sorted()
                let different = keys.first { expected[$0] != found?[$0] }
                guard let different else { return }
                throw Failure(
                    """
                    the item \(different) is \(found?[different].map { "\($0)" } ?? "missing") in place of \
                    \(expected[different].map { "\($0)" } ?? "none"), before \(items.objects[different] ?? [:])
                    """)
            }
        }

        private mutating func change(
            _ user: Int, _ name: String, _ className: Text, _ arguments: [ExtendedJSON.Member], _ node: Int,
            _ app: SimulatedApp, _ end: @escaping (inout SimulatedDocuments, HTTPResponse) throws -> Void
        ) throws {
            let description = "\(name) \(ExtendedJSON.document(arguments)) of \(users.describe(user: user))"
            switch try users.call(user, name, on: className, arguments, app.nodes[node]) {
            case .ended(let response): try withTrace(description) { try end(&self, response) }
            case .pending(let work):
                pending[node, default: []].append(Change(work: work, description: description, end: end))
            }
        }

        // MARK: Durability

        /// Ends the changes of a node.
        ///
        /// - Parameter isDurable: Otherwise the node has been killed.
        mutating func finish(_ node: Int, isDurable: Bool) throws {
            for change in pending.removeValue(forKey: node) ?? [] {
                if isDurable {
                    change.work.finish()
                } else {
                    change.work.finish(.failure(ServiceRefusal(.unavailable, "the server was killed")))
                }
                let response = try users.response()
                try withTrace(change.description) { try change.end(&self, response) }
            }
        }
    }
#endif
