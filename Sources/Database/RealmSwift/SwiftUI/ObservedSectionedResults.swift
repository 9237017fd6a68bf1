// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A property wrapper for the objects of a class, or for projections of them, that a view queries, shows in
    /// sections, and observes.
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
    /// Apart from the sections, it behaves like ``ObservedResults``. Without `sortDescriptors`, sections by a key path
    /// are ordered by that key path.
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

        /// The frozen sections.
        public var wrappedValue: SectionedResults<Key, ResultType> { installed.value }

        /// The property wrapper itself, for changing the sections: `$dogs.remove(atOffsets: offsets, section:
        /// section)`, `$dogs.filter = …`.
        public var projectedValue: Self { self }

        private var installed: QueryFollowing<ResultType, SectionedResults<Key, ResultType>> {
            let storage = storage
            return storage.isInstalled
                ? storage : outside.query(arguments, "@ObservedSectionedResults", block.present)
        }

        /// A predicate in addition to the declared condition; see `ObservedResults.filter`.
        public var filter: NSPredicate? {
            get { installed.laterCondition?.predicate }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// A Swift query in addition to the declared condition; see `ObservedResults.where`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { installed.laterCondition?.isIncluded }
            nonmutating set { installed.laterCondition = newValue.map { QueryCondition($0) } }
        }

        /// The order of the objects by several properties. It is reset when the declared order changes.
        public var sortDescriptors: [RealmSwift.SortDescriptor] {
            get { installed.laterOrder }
            nonmutating set { installed.laterOrder = newValue }
        }

        /// Updates the property. The host calls this before it evaluates the view.
        nonisolated public func update() {
            MainActor.assumeIsolated { storage.install(arguments, block.present, source, errorHandler) }
        }

        func search(_ text: String, in property: String, _ options: StringOptions = []) {
            installed.search(text, in: property, options)
        }

        /// Deletes the objects at the given offsets of a section as the view shows it.
        public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>)
        where ResultType: ObjectBase & ThreadConfined {
            guard let realm = section.realm?.thaw() else { return }
            let objects = offsets.filter { $0 < section.count }.map { section[$0] }
            realm.bindingWrite { Writing.delete(objects, in: realm) }
        }
    }

    /// Creates the sections of results. All blocks are equal, because views are compared by the arguments.
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

        /// Creates a property with projections of objects that satisfy a predicate, in sections by a property.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors,
                filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Creates a property with projections of objects that satisfy a predicate, in sections by the keys that a
        /// block returns.
        public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(
                block: sectionBlock, sortDescriptors, filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Creates a property with objects that satisfy a predicate, in sections by a property.
        public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors,
                filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Creates a property with objects that satisfy a predicate, in sections by the keys that a block returns.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                block: sectionBlock, sortDescriptors, filter.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Creates a property with objects that satisfy a condition, in sections by the keys that a block returns.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor] = [],
            where isIncluded: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                block: sectionBlock, sortDescriptors, isIncluded.map { QueryCondition($0) }, keyPaths, configuration)
        }

        /// Creates a property with objects that satisfy a condition, in sections by a property.
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

        /// Creates a property with all objects, in sections by a property.
        public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
            sortDescriptors: [RealmSwift.SortDescriptor] = [], keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                keyPath: sectionKeyPath, name: SectionProperty.name(of: sectionKeyPath), sortDescriptors, nil, keyPaths,
                configuration)
        }

        /// Creates a property with all objects, in sections by the keys that a block returns.
        public init(
            _ type: ResultType.Type, sectionBlock: @escaping ((ResultType) -> Key),
            sortDescriptors: [RealmSwift.SortDescriptor], keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(block: sectionBlock, sortDescriptors, nil, keyPaths, configuration)
        }
    }
#endif
