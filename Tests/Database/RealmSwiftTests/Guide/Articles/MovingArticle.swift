// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the articles MovingFromRealm and MovingFromOtherDatabases.
@Suite struct MovingArticle {
    // begin MovingFromRealm
    class Dog: Object {
        @Persisted var name = ""
        @Persisted var age = 0

        required init() {
            super.init()
        }

        convenience init(name: String) {
            self.init()
            self.name = name
        }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test @MainActor func fromRealm() throws {
        try withRealm([Dog.self]) { realm in
            let dog = Dog(name: "Rex")
            try realm.write { realm.add(dog) }
            // begin MovingFromRealm
            print(dog.value(forKey: "name") as? String ?? "")  // Rex
            print(dog.objectSchema["age"] != nil)  // true
            let token = dog.observe(keyPaths: [\Dog.age]) { _ in print("older") }
            // end
            #expect(dog.value(forKey: "name") as? String == "Rex" && dog.objectSchema["age"] != nil)
            token.invalidate()
        }
    }

    // begin MovingFromOtherDatabases
    class Customer: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var orders: List<Order>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Order: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var total: Decimal128
        @Persisted(originProperty: "orders") var customers: LinkingObjects<Customer>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    // begin MovingFromOtherDatabases
    /// A row of a table `orders` with a foreign key.
    struct OrderRow: Decodable {
        let id: Int
        let customer: Int
        let total: String
    }

    func take(_ rows: some Sequence<OrderRow>, into realm: Realm) throws {
        try realm.write {
            for row in rows {
                let customer = realm.create(Customer.self, value: ["id": row.customer], update: .modified)
                let order = realm.create(Order.self, value: ["id": row.id, "total": row.total], update: .modified)
                if !customer.orders.contains(order) { customer.orders.append(order) }
            }
        }
    }
    // end

    @Test func fromRows() throws {
        try withRealm([Customer.self, Order.self]) { realm in
            let text = #"[{"id": 1, "customer": 7, "total": "9.90"}, {"id": 2, "customer": 7, "total": "1"}]"#
            let rows = try JSONDecoder().decode([OrderRow].self, from: Data(text.utf8))
            for _ in 0..<2 { try take(rows, into: realm) }
            let customer = try #require(realm.object(ofType: Customer.self, forPrimaryKey: 7))
            #expect(customer.orders.map(\.total) == ["9.90", 1])
            // begin MovingFromOtherDatabases
            // SELECT name FROM customers JOIN orders ON … WHERE total > 5 ORDER BY name LIMIT 10
            let customers = realm.objects(Customer.self).where { $0.orders.total > 5 }
                .sorted(by: \.name).limit(10)
            // end
            #expect(customers.count == 1)
        }
    }
}
