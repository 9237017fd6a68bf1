// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A condition of a query, as a predicate or as Swift.
    struct QueryCondition<Element>: Equatable {
        let predicate: NSPredicate
        /// The predicate as Swift, if it was given so.
        var isIncluded: ((Query<Element>) -> Query<Bool>)?
        private let text: String

        init(_ predicate: NSPredicate) {
            self.predicate = predicate
            text = predicate.comparedText
        }

        init(_ isIncluded: @escaping (Query<Element>) -> Query<Bool>) {
            let (format, arguments) = isIncluded(Query<Element>._constructForTesting())._constructPredicate()
            self.init(NSPredicate(format: format, argumentArray: arguments))
            self.isIncluded = isIncluded
        }

        /// Whether both find the same; closures are compared by what they ask for.
        static func == (a: QueryCondition, b: QueryCondition) -> Bool { a.text == b.text }
    }

    /// What sections are made by. Two key paths can be compared; of blocks each is another one.
    struct SectionSource: Equatable {
        private final class Block {}

        private let keyPath: AnyKeyPath?
        private let block = Block()

        init(_ keyPath: AnyKeyPath? = nil) { self.keyPath = keyPath }

        static func == (a: SectionSource, b: SectionSource) -> Bool {
            a.keyPath == nil ? a.block === b.block : a.keyPath == b.keyPath
        }
    }

    /// What the declaration of a wrapper asks for.
    struct QueryArguments<Element>: Equatable {
        var configuration: Realm.Configuration?
        var condition: QueryCondition<Element>?
        var sortDescriptors: [RealmSwift.SortDescriptor] = []
        var keyPaths: [String]?
        var limit: Int?
        var sections: SectionSource?

        /// Whether both ask for the same in the same database.
        static func == (a: QueryArguments, b: QueryArguments) -> Bool {
            a.configuration.map(RealmSource.Place.init) == b.configuration.map(RealmSource.Place.init)
                && a.condition == b.condition && a.sortDescriptors == b.sortDescriptors && a.keyPaths == b.keyPaths
                && a.limit == b.limit && a.sections == b.sections
        }
    }
#endif
