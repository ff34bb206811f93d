# People have names, reports have numbers; time counts in days.
publish(a:string, f:int)
approve(m:string, f:int)
acc_S(a:string)
acc_F(a:string)
mgr_S(m:string, a:string)
mgr_F(m:string, a:string)
