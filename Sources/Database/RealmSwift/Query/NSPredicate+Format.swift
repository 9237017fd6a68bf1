// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime

#if !canImport(ObjectiveC)
    /// The predicate that `NSPredicate(format:)` creates on platforms where Foundation can't parse predicates. Queries
    /// parse the stored text and arguments.
    final class FormatPredicate: NSPredicate {
        let format: String
        let arguments: [Any?]

        init(_ format: String, _ arguments: [Any?]) {
            self.format = format
            self.arguments = arguments
            super.init(value: false)
        }

        required init?(coder: NSCoder) { nil }

        override func copy(with zone: NSZone? = nil) -> Any { self }

        override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            // Values of Foundation's types are converted to values that a mixed property can store.
            guard let value = AnyRealmValue._convert(flattened(object)) else {
                throwRealmException("A predicate cannot be evaluated for a value of type '\(typeName(object))'.")
            }
            return MemoryQuery(format, arguments).matches(value._rlmContent, of: .mixed)
        }

        override var predicateFormat: String { MemoryQuery(format, arguments).text }
    }

    /// A protocol that gives `NSPredicate` its initialisers with a format string on platforms where Foundation lacks
    /// them. `NSPredicate` is the only conforming type.
    public protocol _FormatPredicate {}

    extension _FormatPredicate where Self: NSPredicate {
        /// Creates a predicate from a string in the predicate language, such as `age > %@`. An invalid string is
        /// detected only when a query uses the predicate.
        ///
        /// ```swift
        /// dogs.filter(NSPredicate(format: "age > %@ AND name BEGINSWITH 'R'", 3))
        /// ```
        public init(format predicateFormat: String, _ args: Any?...) {
            self = FormatPredicate.make(predicateFormat, args)
        }

        /// Creates a predicate from a string in the predicate language and an array of arguments.
        public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            self = FormatPredicate.make(predicateFormat, arguments ?? [])
        }
    }

    extension FormatPredicate {
        /// `Made` is the type whose initialiser was called. It must be `NSPredicate`.
        fileprivate static func make<Made: NSPredicate>(_ format: String, _ arguments: [Any?]) -> Made {
            guard let made = FormatPredicate(format, arguments) as? Made else {
                throwRealmException("Only NSPredicate itself can be created from a format, not \(Made.self).")
            }
            return made
        }
    }

    extension NSPredicate: _FormatPredicate {}
#endif

/// Gives access to `predicateFormat`, which Foundation deprecates where it supports only constants.
private protocol PredicateText {
    var predicateFormat: String { get }
}

extension NSPredicate: PredicateText {}

extension NSPredicate {
    /// A text that is equal for two predicates only if they have the same meaning.
    package var comparedText: String {
        if let compound = self as? NSCompoundPredicate {
            let parts = (compound.subpredicates as [Any]).map { ($0 as? NSPredicate)?.comparedText ?? "" }
            return "\(compound.compoundPredicateType.rawValue)(\(parts.joined(separator: ", ")))"
        }
        #if !canImport(ObjectiveC)
            if let predicate = self as? FormatPredicate {
                return NSPredicate.comparedText(predicate.format, predicate.arguments)
            }
        #endif
        return (self as any PredicateText).predicateFormat
    }

    package static func comparedText(_ format: String, _ arguments: [Any?]) -> String {
        let texts = arguments.map { argument -> String in
            switch argument {
            case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
            case let data as Data: data.base64EncodedString()
            case let object as ObjectBase: "\(type(of: object)) \(object.hash)"
            case let values as [Any?]: comparedText("", values)
            case let value?: String(reflecting: value)
            case nil: "nil"
            }
        }
        return "\(format) \(texts)"
    }
}

protocol PredicateMaker {
    func predicate(_ format: String, _ arguments: [Any?]) -> Predicate
    func predicateArgument(_ value: Any?) -> PredicateArgument
}

extension PredicateMaker {
    /// Converts Foundation's predicates: formats, constants, and their combinations by AND, OR and NOT.
    ///
    /// `level` is the number of enclosing ANDs, ORs, NOTs and subqueries; `variable` is the name of an element in the
    /// innermost subquery.
    func predicate(_ predicate: NSPredicate, level: Int = 0, variable: String? = nil) -> Predicate {
        if let compound = predicate as? NSCompoundPredicate { return compoundPredicate(compound, level, variable) }
        #if canImport(ObjectiveC)
            if let comparison = predicate as? NSComparisonPredicate {
                let translator = NSComparisonTranslator(maker: self, level: level, variable: variable)
                do { return try translator.predicate(comparison) } catch { throwRealmException(error) }
            }
        #else
            if let predicate = predicate as? FormatPredicate {
                return self.predicate(predicate.format, predicate.arguments)
            }
        #endif
        switch (predicate as any PredicateText).predicateFormat {
        case "TRUEPREDICATE": return .constant(true)
        case "FALSEPREDICATE": return .constant(false)
        default:
            throwRealmException(
                "Only support compound, comparison, and constant predicates", name: "Invalid predicate")
        }
    }

    private func compoundPredicate(_ compound: NSCompoundPredicate, _ level: Int, _ variable: String?) -> Predicate {
        if level >= QueryLimits.depth {
            throwRealmException(
                "A predicate cannot have more than \(QueryLimits.depth) nested predicates.",
                name: "Invalid predicate")
        }
        let parts = (compound.subpredicates as [Any]).compactMap { part in
            (part as? NSPredicate).map { predicate($0, level: level + 1, variable: variable) }
        }
        switch compound.compoundPredicateType {
        case .and: return .all(parts)
        case .or: return .any(parts)
        case .not: return .not(.all(parts))
        @unknown default:
            throwRealmException(
                "Only AND, OR, and NOT compound predicates are supported", name: "Invalid compound predicate type")
        }
    }
}
