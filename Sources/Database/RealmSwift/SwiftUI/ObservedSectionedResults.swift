// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// The objects of a class, or projections of them, in sections, that a view shows and follows.
    ///
    /// ```swift
    /// @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed) var dogs
    /// …
    /// ForEach(dogs) { section in
    ///     Section(section.key ?? "mixed") {
    ///         ForEach(section) { DogRow(dog: $0) }.onDelete { $dogs.remove(atOffsets: $0, section: section) }
    ///     }
    /// }
    /// ```
    ///
    /// As `ObservedResults` otherwise. Sections by a key path come in its order, unless another one is asked for.
    @propertyWrapper
    public struct ObservedSectionedResults<Key: _Persistable & Hashable, ResultType>: DynamicProperty,
        BoundCollection
    where ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable {
        public typealias Element = ResultType

        @StateObject private var storage = QueryFollowing<ResultType, SectionedResults<Key, ResultType>>()
        @Environment(\.realmSource) private var source
        @Environment(\.realmErrorHandler) private var errorHandler
        private let arguments: QueryArguments<ResultType>
        private let block: SectionBlock<Key, ResultType>
        private let outside = QueryOutsideOfViews<ResultType, SectionedResults<Key, ResultType>>()

        /// The sections, frozen.
        public var wrappedValue: SectionedResults<Key, ResultType> { installed.value }

        /// The wrapper: `$dogs.remove(atOffsets: offsets, section: section)`, `$dogs.filter = …`.
        public var projectedValue: Self { self }

        private var installed: QueryFollowing<ResultType, SectionedResults<Key, ResultType>> {
            let storage = storage
            return storage.isInstalled
                ? storage : outside.query(arguments, "@ObservedSectionedResults", block.present)
        }

        /// A condition beside the declared one, as a predicate; see `ObservedResults.filter`.
        public var filter: NSPredicate? {
            get { installed.laterCondition?.predicate }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// A condition beside the declared one, as Swift; see `ObservedResults.where`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { installed.laterCondition?.isIncluded }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// The order. It lasts until the declared order becomes another one.
        public var sortDescriptors: [RealmSwift.SortDescriptor] {
            get { installed.laterOrder }
            nonmutating set { installed.laterOrder = newValue }
        }

        /// Is called by the host before the view is evaluated.
        nonisolated public func update() {
            MainActor.assumeIsolated { storage.install(arguments, block.present, source, errorHandler) }
        }

        func search(_ text: String, in property: String, _ options: StringOptions = []) {
            installed.search(text, in: property, options)
        }

        /// Deletes the objects at offsets of a section, as it was when it was shown.
        public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>)
        where ResultType: ObjectBase & ThreadConfined {
            guard let realm = section.realm?.thaw() else { return }
            let objects = offsets.filter { $0 < section.count }.map { section[$0] }
            realm.bindingWrite { Writing.delete(objects, in: realm) }
        }
    }

    /// What makes sections of results. Views are compared by what it was made for, not by it.
    private struct SectionBlock<Key: _Persistable & Hashable, Element: RealmCollectionValue>: Equatable {
        let key: (Element) -> Key
        let order: [RealmSwift.SortDescriptor]

        func present(
            _ results: Results<Element>, _ wanted: [RealmSwift.SortDescriptor]
        ) -> SectionedResults<Key, Element> {
            results.sectioned(sortDescriptors: wanted.isEmpty ? order : wanted, key)
        }

        static func == (a: SectionBlock, b: SectionBlock) -> Bool { true }
    }

    extension ObservedSectionedResults {
        private init(
            block: @escaping (ResultType) -> Key, by keyPath: AnyKeyPath? = nil,
            _ sortDescriptors: [RealmSwift.SortDescriptor], _ condition: QueryCondition<ResultType>?,
            _ keyPaths: [String]?, _ configuration: Realm.Configuration?
        ) {
            if sortDescriptors.isEmpty {
                throwRealmException(
                    "sortDescriptors must not be empty when sectioning ObservedSectionedResults with `sectionBlock`")
            }
            arguments = QueryArguments(
                configuration: configuration, condition: condition, sortDescriptors: sortDescriptors,
                keyPaths: keyPaths, sections: SectionSource(keyPath))
            self.block = SectionBlock(key: block, order: sortDescriptors)
        }

        private init(
            keyPath: KeyPath<ResultType, Key>, name: String, _ sortDescriptors: [RealmSwift.SortDescriptor],
            _ condition: QueryCondition<ResultType>?, _ keyPaths: [String]?, _ configuration: Realm.Configuration?
        ) {
            let order =
                sortDescriptors.isEmpty ? [RealmSwift.SortDescriptor(keyPath: name, ascending: true)] : sortDescriptors
            self.init(block: { $0[keyPath: keyPath] }, by: keyPath, order, condition, keyPaths, configuration)
        }

        /// Projections in sections by a property, those whose objects a predicate holds for.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors,
                filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Projections in sections by what a block makes of each, those whose objects a predicate holds for.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(
                block: sectionBlock, sortDescriptors, filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Objects in sections by a property, those that a predicate holds for.
        public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors,
                filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Objects in sections by what a block makes of each, those that a predicate holds for.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                block: sectionBlock, sortDescriptors, filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Objects in sections by what a block makes of each, those that a condition holds for.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [],
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                block: sectionBlock, sortDescriptors, isIncluded.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Objects in sections by a property, those that a condition holds for.
        public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [],
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors,
                isIncluded.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// All objects, in sections by a property.
        public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors, nil, keyPaths,
                configuration)
        }

        /// All objects, in sections by what a block makes of each.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor], keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(block: sectionBlock, sortDescriptors, nil, keyPaths, configuration)
        }
    }
#endif
