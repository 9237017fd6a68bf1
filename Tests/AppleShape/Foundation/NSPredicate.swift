// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Apple's Foundation has of predicates with a format, and Foundation on Linux marks as unavailable.

import Foundation

protocol FormatPredicates {}

extension FormatPredicates where Self: NSPredicate {
    init(format predicateFormat: String, argumentArray arguments: [Any]?) { self = NSPredicate(value: true) as! Self }
}

extension NSPredicate: FormatPredicates {}
