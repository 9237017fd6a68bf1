// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import TestTraits
import Testing

private enum OldMood: Int, RealmEnum {
    case bad = 3
    case good
}

/// The macro's expansion of a class of the style before 10.10.
private final class OldDiary: TestObject {
    @Persisted(_dynamic: true) var id = 0
    @Persisted(_dynamic: true) var day: NSDate = NSDate(timeIntervalSince1970: 0)
    @Persisted(_dynamic: true) var later: NSDate?
    @Persisted(_dynamic: true) var title: NSString = "none"
    @Persisted(_dynamic: true) var note: NSString?
    @Persisted(_dynamic: true) var photo: NSData = NSData()
    @Persisted(_dynamic: true) var mood: OldMood = .good
    @Persisted(_dynamic: true) var formerMood: OldMood?
    @Persisted(_dynamic: true) var ratio: Float = 0

    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["day", "title"] }
}

/// Foundation's classes, and enums of the style before 10.10, as properties and results.
@Suite struct FoundationClassTests {
    @Test(.behaviour("A05")) func theyAreStoredAsValues() throws {
        let schema = OldDiary().objectSchema
        #expect(schema["day"]?.type == .date && schema["title"]?.type == .string && schema["photo"]?.type == .data)
        #expect(schema["mood"]?.type == .int && schema["later"]?.isOptional == true)
        #expect(schema.properties.filter(\.isIndexed).map(\.name) == ["id", "day", "title"])
        try withRealm([OldDiary.self]) { realm in
            let diary = OldDiary()
            #expect(diary.day == NSDate(timeIntervalSince1970: 0) && diary.later == nil && diary.title == "none")
            diary.mood = .bad
            try realm.write { realm.add(diary) }
            #expect(diary.mood == .bad && diary.formerMood == nil && diary.note == nil && diary.photo.length == 0)
            try realm.write {
                diary.day = NSDate(timeIntervalSince1970: 86_400)
                diary.later = NSDate(timeIntervalSince1970: 90_000.5)
                diary.title = "second"
                diary.note = "a note"
                diary.photo = NSData(data: Data([1, 2]))
                diary.formerMood = .good
                realm.create(OldDiary.self, value: ["id": 1, "day": Date(timeIntervalSince1970: 7), "mood": 4])
                realm.create(OldDiary.self, value: ["id": 2, "title": NSString("third"), "mood": OldMood.bad])
            }
            #expect(diary.day.timeIntervalSince1970 == 86_400 && diary.later?.timeIntervalSince1970 == 90_000.5)
            #expect(diary.title == "second" && diary.note == "a note" && diary.photo.length == 2)
            #expect(diary.formerMood == .good)
            let all = realm.objects(OldDiary.self)
            #expect(all.filter("day > %@", NSDate(timeIntervalSince1970: 6)).count == 2)
            #expect(all.filter("title == %@ AND mood == 3", NSString("third")).map(\.id) == [2])
            #expect(all.filter("mood == %@", OldMood.good).map(\.id) == [1])
            #expect(all.sorted(byKeyPath: "day").map(\.id) == [2, 1, 0])
        }
    }

    @Test(.behaviour("A05")) func aRawValueThatMatchesNoCase() throws {
        try withRealm([OldDiary.self]) { realm in
            let diary = try realm.write { realm.create(OldDiary.self) }
            try realm.write { realm.delete(diary) }
            #expect(diary.mood == .bad && diary.formerMood == nil)
        }
    }

    @Test(.behaviour("S25")) func aggregatesAsFoundationsNumbers() throws {
        try withRealm([OldDiary.self]) { realm in
            try realm.write {
                for id in 1...4 {
                    realm.create(
                        OldDiary.self,
                        value: ["id": id, "day": Date(timeIntervalSince1970: Double(id)), "ratio": Float(id) / 2])
                }
            }
            let all = realm.objects(OldDiary.self)
            let (least, greatest): (NSNumber?, NSNumber?) = (all.min(ofProperty: "id"), all.max(ofProperty: "ratio"))
            #expect(least == 1 && greatest == 2)
            let (sum, average): (NSNumber, NSNumber?) = (all.sum(ofProperty: "id"), all.average(ofProperty: "id"))
            #expect(sum == 10 && average == 2.5)
            let (first, last): (NSDate?, NSDate?) = (all.min(ofProperty: "day"), all.max(ofProperty: "day"))
            #expect(first?.timeIntervalSince1970 == 1 && last?.timeIntervalSince1970 == 4)
            let none: NSNumber? = all.filter("id > 10").max(ofProperty: "id")
            #expect(none == nil)
        }
    }
}
