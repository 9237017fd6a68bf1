// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A type that `@ObservedResults` can show: an object or a projection.
    public protocol _ObservedResultsValue: RealmCollectionValue {}

    extension Object: _ObservedResultsValue {}
    extension Projection: _ObservedResultsValue {}

    /// A property wrapper for the objects of a class, or for projections of them, that a view queries, shows, and
    /// observes.
    ///
    /// ```swift
    /// struct DogsView: View {
    ///     @ObservedResults(Dog.self, where: { $0.weight > 20 }) var dogs
    ///
    ///     var body: some View {
    ///         List { ForEach(dogs) { DogRow(dog: $0) }.onDelete(perform: $dogs.remove) }
    ///         Button("Add") { $dogs.append(Dog()) }
    ///     }
    /// }
    /// ```
    ///
    /// The wrapped value is a frozen snapshot, which is reused until the version changes. The Realm is that of
    /// `configuration`, or of the environment, or the default Realm, in this order. It is opened when the view is added
    /// to the tree; a failure terminates the process unless the environment has a `realmError`.
    ///
    /// Elements must be `Identifiable`: a class without its own `id` only has to declare the conformance. Use the
    /// wrapper on the main actor.
    @propertyWrapper public struct ObservedResults<ResultType>: DynamicProperty, BoundCollection
    where ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable {
        public typealias Element = ResultType

        @StateObject private var storage = QueryFollowing<ResultType, Results<ResultType>>()
        @Environment(\.realmSource) private var source
        @Environment(\.realmErrorHandler) private var errorHandler
        private let arguments: QueryArguments<ResultType>
        private let outside = QueryOutsideOfViews<ResultType, Results<ResultType>>()

        /// The frozen results.
        public var wrappedValue: Results<ResultType> { installed.value }

        /// The property wrapper itself, for changing the results: `$dogs.append(dog)`, `$dogs.filter = …`.
        public var projectedValue: Self { self }

        private var installed: QueryFollowing<ResultType, Results<ResultType>> {
            let storage = storage
            return storage.isInstalled
                ? storage : outside.query(arguments, "@ObservedResults") { results, _ in results }
        }

        /// A predicate that the results satisfy in addition to the declared condition. Setting it to nil removes the
        /// condition that was set here or through `where`. It is reset when the declared condition changes.
        public var filter: NSPredicate? {
            get { installed.laterCondition?.predicate }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// A Swift query that the results satisfy in addition to the declared condition. Setting it to nil removes the
        /// condition that was set here or through `filter`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { installed.laterCondition?.isIncluded }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// The order of the results by one property. It is reset when the declared order changes.
        public var sortDescriptor: RealmSwift.SortDescriptor? {
            get { sortDescriptors.first }
            nonmutating set { sortDescriptors = newValue.map { [$0] } ?? [] }
        }

        /// The order of the results by several properties. An addition to Realm's API.
        public var sortDescriptors: [RealmSwift.SortDescriptor] {
            get { installed.laterOrder }
            nonmutating set { installed.laterOrder = newValue }
        }

        /// Updates the property. The host calls this before it evaluates the view.
        nonisolated public func update() {
            MainActor.assumeIsolated { storage.install(arguments, { results, _ in results }, source, errorHandler) }
        }

        func search(_ text: String, in property: String, _ options: StringOptions = []) {
            installed.search(text, in: property, options)
        }
    }

    extension ObservedResults: ShownCollection { var shownValue: Any { installed.shown } }

    extension ObservedResults {
        private init(
            _ configuration: Realm.Configuration?, _ condition: QueryCondition<ResultType>?, _ keyPaths: [String]?,
            _ sortDescriptors: [RealmSwift.SortDescriptor], _ limit: Int? = nil
        ) {
            arguments = QueryArguments(
                configuration: configuration, condition: condition, sortDescriptors: sortDescriptors,
                keyPaths: keyPaths, limit: limit)
        }

        /// Creates a property with the projections of objects that satisfy a predicate. With `keyPaths`, only changes
        /// of these properties are observed.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Creates a property with the objects that satisfy a predicate. With `keyPaths`, only changes of these
        /// properties are observed.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Creates a property with the objects that satisfy a condition. With `keyPaths`, only changes of these
        /// properties are observed.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, isIncluded.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Creates a property with all objects of a class. With `keyPaths`, only changes of these properties are
        /// observed.
        public init(
            _ type: ResultType.Type, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil,
            sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, nil, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Creates a property with objects ordered by several properties, at most `limit` of them. An addition to
        /// Realm's API.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptors: [RealmSwift.SortDescriptor], limit: Int? = nil
        ) where ResultType: Object {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptors, limit)
        }

        /// Creates a property with objects ordered by several properties, at most `limit` of them. An addition to
        /// Realm's API.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>, keyPaths: [String]? = nil,
            sortDescriptors: [RealmSwift.SortDescriptor], limit: Int? = nil
        ) where ResultType: Object {
            self.init(configuration, QueryCondition(isIncluded), keyPaths, sortDescriptors, limit)
        }

        /// Creates a property with the first `limit` objects. An addition to Realm's API.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            sortDescriptor: RealmSwift.SortDescriptor? = nil, limit: Int
        ) where ResultType: Object {
            self.init(
                configuration, isIncluded.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [], limit
            )
        }
    }
#endif
