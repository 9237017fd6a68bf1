// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// Logs a warning about a property wrapper outside of a view, which isn't notified of changes, once for each kind
    /// of wrapper.
    @MainActor enum OutsideOfViews {
        private static var warned: Set<String> = []

        static func warn(of wrapper: String) {
            guard warned.insert(wrapper).inserted else { return }
            Logger.shared.log(.warn, "\(wrapper) is for views; observe the results in a model.")
        }
    }

    /// The query of a property wrapper outside of a view. Copies of the wrapper share it. All instances are equal when
    /// views are compared.
    struct QueryOutsideOfViews<Element: _ObservedResultsValue & RealmFetchable, Value>: Equatable {
        private final class Holder { var query: QueryFollowing<Element, Value>? }

        private let holder = Holder()

        @MainActor func query(
            _ arguments: QueryArguments<Element>, _ wrapper: String,
            _ present: @escaping QueryFollowing<Element, Value>.Presentation
        ) -> QueryFollowing<Element, Value> {
            if let query = holder.query { return query }
            OutsideOfViews.warn(of: wrapper)
            let query = QueryFollowing<Element, Value>()
            query.install(arguments, present, nil, nil)
            holder.query = query
            return query
        }

        static func == (a: QueryOutsideOfViews, b: QueryOutsideOfViews) -> Bool { true }
    }

    /// A query that a view observes. It exists while the view is in the tree; the view's values only provide its
    /// arguments.
    @MainActor final class QueryFollowing<Element, Value>: Following<Value>
    where Element: _ObservedResultsValue & RealmFetchable {
        typealias Presentation = (Results<Element>, [RealmSwift.SortDescriptor]) -> Value

        private var present: Presentation?
        private var declared: QueryArguments<Element>?
        private var source: RealmSource?
        private var realm: Realm?
        private var results: Results<Element>?
        private var condition: QueryCondition<Element>?
        private var order: [RealmSwift.SortDescriptor]?
        private var search: NSPredicate?

        /// Called with the view's arguments and environment. The query is evaluated again only if they have changed.
        func install(
            _ arguments: QueryArguments<Element>, _ present: @escaping Presentation, _ chosen: RealmSource?,
            _ handler: RealmErrorHandler?
        ) {
            let source = arguments.configuration.map { RealmSource($0) } ?? chosen ?? .standard
            if self.source != source || declared != arguments {
                if declared?.condition != arguments.condition { condition = nil }
                if declared?.sortDescriptors != arguments.sortDescriptors { order = nil }
                if self.source != source { open(source, handler) }
                (declared, self.present) = (arguments, present)
                ask()
            }
            willEvaluate()
        }

        var isInstalled: Bool { declared != nil }

        private func open(_ source: RealmSource, _ handler: RealmErrorHandler?) {
            self.source = source
            do {
                realm = try source.open()
            } catch {
                guard let handler else { throwRealmException("\(error)") }
                realm = nil
                handler.handle(error)
            }
        }

        /// An empty Realm in memory if the Realm couldn't be opened.
        private func shownRealm() -> Realm {
            if let realm { return realm }
            do {
                return try Realm(
                    configuration: Realm.Configuration(
                        inMemoryIdentifier: "regnum.unopened", objectTypes: source?.configuration.objectTypes))
            } catch {
                throwRealmException("\(error)")
            }
        }

        private func ask() {
            var results = shownRealm().objects(Element.self)
            let conditions = [declared?.condition?.predicate, condition?.predicate, search].compactMap { $0 }
            for condition in conditions { results = results.filter(condition) }
            let order = order ?? declared?.sortDescriptors ?? []
            if !order.isEmpty { results = results.sorted(by: order) }
            if let limit = declared?.limit { results = results.limit(limit) }
            self.results = results
            follow()
        }

        override func renew() -> Bool {
            guard let results, results.isInvalidated else { return false }
            ask()
            return true
        }

        override var followedRealm: Realm? { results?.realm }

        override func watch(_ changed: @escaping () -> Void) -> NotificationToken? {
            results?.watch(declared?.keyPaths, changed)
        }

        override func makeCopy() -> Value {
            if results == nil { ask() } else { _ = renew() }
            guard let results, let present else { preconditionFailure("The query was read before it was installed.") }
            return present(results.freeze(), order ?? declared?.sortDescriptors ?? [])
        }

        // MARK: Changes by the program

        private func change<T: Equatable>(_ keyPath: ReferenceWritableKeyPath<QueryFollowing, T>, _ value: T) {
            guard self[keyPath: keyPath] != value else { return }
            self[keyPath: keyPath] = value
            queryAgain()
        }

        private func queryAgain() {
            guard declared != nil else { return }
            announce()
            ask()
        }

        var laterCondition: QueryCondition<Element>? {
            get { condition ?? declared?.condition }
            set { change(\.condition, newValue) }
        }

        var laterOrder: [RealmSwift.SortDescriptor] {
            get { order ?? declared?.sortDescriptors ?? [] }
            set { change(\.order, newValue) }
        }

        func search(_ text: String, in property: String, _ options: StringOptions) {
            let marks =
                (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
            let format = property + " CONTAINS" + (marks.isEmpty ? "" : "[\(marks)]") + " %@"
            let predicate = text.isEmpty ? nil : NSPredicate(format: format, argumentArray: [text])
            guard predicate?.comparedText != search?.comparedText else { return }
            search = predicate
            queryAgain()
        }
    }
#endif
