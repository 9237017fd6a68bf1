// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    struct QueryCondition<Element>: Equatable {
        let predicate: NSPredicate
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

        /// Closures are compared by the predicates that they create.
        static func == (a: QueryCondition, b: QueryCondition) -> Bool { a.text == b.text }
    }

    /// The key path or block that defines the sections. Key paths can be compared; every block is different.
    struct SectionSource: Equatable {
        private final class Block {}

        private let keyPath: AnyKeyPath?
        private let block = Block()

        init(_ keyPath: AnyKeyPath? = nil) { self.keyPath = keyPath }

        static func == (a: SectionSource, b: SectionSource) -> Bool {
            a.keyPath == nil ? a.block === b.block : a.keyPath == b.keyPath
        }
    }

    struct QueryArguments<Element>: Equatable {
        var configuration: Realm.Configuration?
        var condition: QueryCondition<Element>?
        var sortDescriptors: [RealmSwift.SortDescriptor] = []
        var keyPaths: [String]?
        var limit: Int?
        var sections: SectionSource?

        static func == (a: QueryArguments, b: QueryArguments) -> Bool {
            a.configuration.map(RealmSource.Place.init) == b.configuration.map(RealmSource.Place.init)
                && a.condition == b.condition && a.sortDescriptors == b.sortDescriptors && a.keyPaths == b.keyPaths
                && a.limit == b.limit && a.sections == b.sections
        }
    }
#endif
