# Customer, transaction and amount; time counts in days.
trans(c:string, t:int, a:int)
report(t:int)
