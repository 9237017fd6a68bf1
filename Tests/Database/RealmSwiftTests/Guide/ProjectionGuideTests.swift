// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for class projections, as clients write it.

class GuideEmployee: Object {
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted var office: GuideOffice?
    @Persisted var reports: List<GuideEmployee>
    @Persisted var salary: Int

    var fullName: String { "\(firstName) \(lastName)" }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideOffice: EmbeddedObject {
    @Persisted var city: String
    @Persisted var room: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The contents of a list row: properties of the object and a linked object, a computed one, and one of a list.
class GuideEmployeeRow: Projection<GuideEmployee> {
    @Projected(\GuideEmployee.firstName) var name
    @Projected(\GuideEmployee.office?.city) var city
    @Projected(\GuideEmployee.reports.projectTo.lastName) var reports: ProjectedCollection<String>
}

@Suite struct ProjectionGuideTests {
    private func withEmployees(_ body: (Realm) throws -> Void) throws {
        try withRealm([GuideEmployee.self, GuideOffice.self]) { realm in
            let boss = GuideEmployee(value: ["firstName": "Rosa", "lastName": "Klein", "salary": 9])
            boss.office = GuideOffice(value: ["city": "Bonn", "room": 3])
            boss.reports.append(GuideEmployee(value: ["firstName": "Emil", "lastName": "Groß", "salary": 7]))
            boss.reports.append(GuideEmployee(value: ["firstName": "Vera", "lastName": "Lang", "salary": 8]))
            try realm.write { realm.add(boss) }
            try body(realm)
        }
    }

    @Test func projectionsAreFetchedAsObjectsAre() throws {
        try withEmployees { realm in
            let rows = realm.objects(GuideEmployeeRow.self)
            #expect(rows.count == 3)
            let row = try #require(rows.where { $0.name == "Rosa" }.first)
            #expect(row.city == "Bonn" && Array(row.reports) == ["Groß", "Lang"])
        }
    }

    @Test func orMadeOfAnObject() throws {
        try withEmployees { realm in
            let row = GuideEmployeeRow(projecting: realm.objects(GuideEmployee.self)[0])
            #expect(row.name == "Rosa" && row.rootObject.salary == 9)
        }
    }

    @Test func queriesAndOrdersNameTheProjectionsProperties() throws {
        try withEmployees { realm in
            let rows = realm.objects(GuideEmployeeRow.self)
            #expect(rows.sorted(by: \.name).map(\.name) == ["Emil", "Rosa", "Vera"])
            #expect(rows.where { $0.city == "Bonn" }.count == 1)
            // Texts use the object's property names.
            #expect(rows.filter("salary > 7").count == 2)
            #expect(rows.sectioned(by: \.name).allKeys == ["Emil", "Rosa", "Vera"])
        }
    }

    @Test func assigningToAProjectionChangesTheObject() throws {
        try withEmployees { realm in
            let row = try #require(realm.objects(GuideEmployeeRow.self).first)
            try realm.write {
                row.name = "Rosalie"
                // A projected property is read-only after an optional link.
                row.rootObject.office?.city = "Köln"
                row.reports[0] = "Gross"
            }
            let boss = realm.objects(GuideEmployee.self)[0]
            #expect(boss.fullName == "Rosalie Klein" && row.city == "Köln")
            #expect(boss.reports[0].lastName == "Gross")
        }
    }

    @Test func projectionsAreLive() throws {
        try withEmployees { realm in
            let row = try #require(realm.objects(GuideEmployeeRow.self).first)
            let frozen = row.freeze()
            try realm.write { row.rootObject.firstName = "Ruth" }
            #expect(row.name == "Ruth" && frozen.name == "Rosa" && frozen.thaw()?.name == "Ruth")
            try realm.write { realm.delete(row.rootObject) }
            #expect(row.isInvalidated && !frozen.isInvalidated)
        }
    }
}
