// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// What `@ObservedResults` can show: objects and projections.
    public protocol _ObservedResultsValue: RealmCollectionValue {}

    extension Object: _ObservedResultsValue {}
    extension Projection: _ObservedResultsValue {}

    /// The objects of a class, or projections of them, that a view shows and follows.
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
    /// The results are frozen, the same while a version lasts. They are those of the Realm of `configuration`, else of
    /// the environment's, else of the default one, which is opened when the view comes into the tree; if that fails the
    /// process ends, unless the environment has a `realmError`. Elements are `Identifiable`; for a class without an
    /// identity of its own, conforming is all that it takes. Used on the main actor.
    @propertyWrapper public struct ObservedResults<ResultType>: DynamicProperty, BoundCollection
    where ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable {
        public typealias Element = ResultType

        @StateObject private var storage = QueryFollowing<ResultType, Results<ResultType>>()
        @Environment(\.realmSource) private var source
        @Environment(\.realmErrorHandler) private var errorHandler
        private let arguments: QueryArguments<ResultType>
        private let outside = QueryOutsideOfViews<ResultType, Results<ResultType>>()

        /// The results, frozen.
        public var wrappedValue: Results<ResultType> { installed.value }

        /// The wrapper: `$dogs.append(dog)`, `$dogs.filter = …`.
        public var projectedValue: Self { self }

        private var installed: QueryFollowing<ResultType, Results<ResultType>> {
            let storage = storage
            return storage.isInstalled
                ? storage : outside.query(arguments, "@ObservedResults") { results, _ in results }
        }

        /// A condition beside the declared one, as a predicate; nil takes back what was set here or through `where`. It
        /// lasts until the declared condition becomes another one.
        public var filter: NSPredicate? {
            get { installed.laterCondition?.predicate }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// A condition beside the declared one, as Swift; nil takes back what was set here or through `filter`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { installed.laterCondition?.isIncluded }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// The order, by one property. It lasts until the declared order becomes another one.
        public var sortDescriptor: RealmSwift.SortDescriptor? {
            get { sortDescriptors.first }
            nonmutating set { sortDescriptors = newValue.map { [$0] } ?? [] }
        }

        /// The order, by several properties. An addition to Realm's API.
        public var sortDescriptors: [RealmSwift.SortDescriptor] {
            get { installed.laterOrder }
            nonmutating set { installed.laterOrder = newValue }
        }

        /// Is called by the host before the view is evaluated.
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

        /// Projections that a predicate on their objects holds for. With `keyPaths`, only changes of those properties
        /// are followed.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Objects that a predicate holds for. With `keyPaths`, only changes of those properties are followed.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Objects that a condition holds for. With `keyPaths`, only changes of those properties are followed.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, isIncluded.map { QueryCondition($0) }, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// All objects of a class. With `keyPaths`, only changes of those properties are followed.
        public init(
            _ type: ResultType.Type, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil,
            sortDescriptor: RealmSwift.SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, nil, keyPaths, sortDescriptor.map { [$0] } ?? [])
        }

        /// Objects in an order by several properties, at most `limit` of them. An addition to Realm's API.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptors: [RealmSwift.SortDescriptor], limit: Int? = nil
        ) where ResultType: Object {
            self.init(configuration, filter.map { QueryCondition($0) }, keyPaths, sortDescriptors, limit)
        }

        /// Objects in an order by several properties, at most `limit` of them. An addition to Realm's API.
        public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>, keyPaths: [String]? = nil,
            sortDescriptors: [RealmSwift.SortDescriptor], limit: Int? = nil
        ) where ResultType: Object {
            self.init(configuration, QueryCondition(isIncluded), keyPaths, sortDescriptors, limit)
        }

        /// The first `limit` objects. An addition to Realm's API.
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
